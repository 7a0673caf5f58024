import { gunzipSync } from 'node:zlib'
import { BundleError } from './bundleError.ts'

/** A regular file of an archive. */
export type ArchivedFile = { readonly path: string; readonly content: Buffer }

const BLOCK = 512

/**
 * The files of a gzipped tar archive, with paths without a leading `/` or `./`.
 *
 * @throws BundleError if it is damaged, or unpacked larger than `most` bytes
 */
export function archivedFiles(
  name: string,
  packed: Uint8Array,
  most: number,
): readonly ArchivedFile[] {
  const tar = unpacked(name, packed, most)
  const files: ArchivedFile[] = []
  let longPath: string | undefined
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) break
    const size = Number.parseInt(text(header, 124, 136), 8)
    const start = at + BLOCK
    if (!(size >= 0 && start + size <= tar.length)) throw damaged(name)
    const content = tar.subarray(start, start + size)
    const kind = text(header, 156, 157)
    const own = longPath ?? shortPath(header)
    longPath = undefined
    if (kind === 'x') longPath = /(?:^|\n)\d+ path=(.*)\n/.exec(content.toString('utf8'))?.[1]
    else if (kind === 'L') longPath = text(content, 0, size)
    else if (kind === '' || kind === '0')
      files.push({ path: own.replace(/^(\.?\/)+/, ''), content })
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

function unpacked(name: string, packed: Uint8Array, most: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: most })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new BundleError(`${name} is larger than ${most} bytes, unpacked`, { cause })
    throw damaged(name, cause)
  }
}

const damaged = (name: string, cause?: unknown): BundleError =>
  new BundleError(`${name} is not a whole gzipped tar archive`, {
    cause,
    hint: 'Bundles are made by opa build, or by tar -czf.',
  })

/** Up to the first zero byte. */
const text = (bytes: Buffer, start: number, end: number): string =>
  bytes.toString('utf8', start, end).replace(/\0.*$/s, '').trim()

function shortPath(header: Buffer): string {
  const prefix = text(header, 257, 262) === 'ustar' ? text(header, 345, 500) : ''
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`
}
