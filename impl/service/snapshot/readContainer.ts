import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Entry, extract } from 'tar-stream'
import { largestOf } from './containerParts.ts'
import { type Ending, type Manifest, parseEnding, parseManifest } from './manifest.ts'
import { damaged, SnapshotError } from './snapshotError.ts'

export type Part = { readonly name: string; readonly bytes: Buffer }

export type ContainerReader = {
  readonly manifest: Manifest
  /** The parts between the first and the last, one in memory at a time. Can be iterated once. */
  readonly parts: AsyncIterable<Part>
  /** Available after all parts have been read and verified. */
  ending(): Ending
  close(): void
}

/**
 * Reads a snapshot sequentially. Verify it completely before loading: only its end shows whether it
 * is complete.
 *
 * @throws SnapshotError `damaged`, `version`, `storage`; also while iterating the parts
 */
export async function readContainer(file: string): Promise<ContainerReader> {
  await refuseOtherFiles(file)
  const tar = extract()
  const gunzip = createGunzip()
  const source = createReadStream(file)
  pipeline(source, gunzip, tar).catch((error: Error) => tar.destroy(error))
  const close = () => {
    source.destroy()
    gunzip.destroy()
    tar.destroy()
  }
  const entries = tar[Symbol.asyncIterator]()
  const seen: Ending['parts'] = []
  let ending: Ending | undefined

  async function next(): Promise<Part | undefined> {
    try {
      const { value, done } = await entries.next()
      if (done) return undefined
      const entry = value as Entry
      const bytes = await collect(entry)
      return { name: entry.header.name, bytes }
    } catch (error) {
      if (error instanceof SnapshotError) throw error
      if (codeOf(error)?.startsWith('E') && !codeOf(error)?.startsWith('ERR'))
        throw unreadable(file, error)
      throw damaged((error as Error).message, error)
    }
  }
  async function* parts(): AsyncGenerator<Part> {
    for (;;) {
      const part = await next()
      if (part === undefined) throw damaged('it ends too early')
      if (part.name === 'end.json') {
        const last = parseEnding(part.bytes)
        if (JSON.stringify(last.parts) !== JSON.stringify(seen))
          throw damaged('its parts do not match the list at its end')
        if ((await next()) !== undefined) throw damaged('it has data after its end')
        ending = last
        return
      }
      seen.push([part.name, part.bytes.length, sumOf(part.bytes)])
      yield part
    }
  }
  try {
    const first = await next()
    if (first?.name !== 'manifest.json') throw noSnapshot(file)
    const manifest = parseManifest(first.bytes)
    seen.push([first.name, first.bytes.length, sumOf(first.bytes)])
    return {
      manifest,
      parts: parts(),
      ending() {
        if (ending === undefined) throw damaged('it was not read completely')
        return ending
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Reads a part; the size limit of its name applies, whatever the header says. */
async function collect(entry: Entry): Promise<Buffer> {
  const { name, size = 0, type } = entry.header
  const largest = largestOf(name)
  if (type !== 'file' || largest === undefined)
    throw damaged(`${name.slice(0, 200)} is not a part of a snapshot`)
  if (size > largest)
    throw damaged(`the declared size of ${name}, ${size} bytes, exceeds the limit`)
  const pieces: Buffer[] = []
  for await (const piece of entry) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function refuseOtherFiles(file: string): Promise<void> {
  let start: Buffer
  try {
    const handle = await open(file)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(3), 0, 3, 0)
      start = buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  // The header of gzip with deflate, its only method.
  if (start.toString('hex') !== '1f8b08') throw noSnapshot(file)
}

const noSnapshot = (file: string) =>
  new SnapshotError(`${file} is not a snapshot`, {
    code: 'damaged',
    hint: 'Use a file written by `polgate snapshot save`.',
  })

function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

const unreadable = (file: string, cause: unknown) =>
  new SnapshotError(`${file} cannot be read (${codeOf(cause) ?? 'unknown error'})`, {
    code: 'storage',
    hint: 'Check the path and its permissions.',
    cause,
  })
