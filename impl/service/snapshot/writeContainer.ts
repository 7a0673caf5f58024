import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { largestOf } from './containerParts.ts'
import type { Ending, Manifest } from './manifest.ts'
import { SnapshotError } from './snapshotError.ts'

/** Writes the parts of a snapshot one after another. */
export type ContainerWriter = {
  /** Resolves when the part has been passed on, at the speed of the reader. */
  part(name: string, bytes: Uint8Array): Promise<void>
  /** Writes the last part, and resolves when everything has been consumed. */
  end(saved: Omit<Ending, 'parts'>): Promise<Ending>
  /** Aborts; the destination fails. */
  abort(error: unknown): void
}

/** Much faster than the default, and a tenth larger. */
const gzipLevel = 3

/**
 * A snapshot is a gzipped tar, which standard tools can read. In addition it has a checksum of
 * every part, and a last part that proves completeness.
 */
export function writeContainer(manifest: Manifest, destination: Writable): ContainerWriter {
  const tar = pack()
  const parts: Ending['parts'] = []
  // The pipeline reports this error too.
  tar.on('error', () => {})
  const mtime = new Date(manifest.createdAt)
  const piping = pipeline(tar, createGzip({ level: gzipLevel }), destination)
  const failed = new Promise<never>((_, reject) => {
    piping.catch(reject)
  })
  failed.catch(() => {})

  function write(name: string, bytes: Uint8Array): Promise<void> {
    const largest = largestOf(name)
    if (largest === undefined || bytes.length > largest)
      throw new SnapshotError(
        `${name.slice(0, 200)} exceeds the size limit of a part of a snapshot`,
        {
          code: 'storage',
          hint: 'Nothing was saved. Report this with the size of the data.',
        },
      )
    const written = new Promise<void>((resolve, reject) => {
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const entry = tar.entry({ name, mode: 0o600, mtime, size: data.length }, data, (error) =>
        error ? reject(error) : resolve(),
      )
      entry.on('error', reject)
    })
    return Promise.race([written, failed])
  }
  async function part(name: string, bytes: Uint8Array): Promise<void> {
    parts.push([name, bytes.length, createHash('sha256').update(bytes).digest('hex')])
    await write(name, bytes)
  }
  return {
    part,
    async end(saved) {
      const ending: Ending = { parts, ...saved }
      await write('end.json', Buffer.from(JSON.stringify(ending)))
      tar.finalize()
      await piping
      return ending
    },
    abort: (error) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
  }
}
