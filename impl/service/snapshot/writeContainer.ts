import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { largestOf } from './containerParts.ts'
import type { Ending, Manifest } from './manifest.ts'
import { SnapshotError } from './snapshotError.ts'

/** Takes the parts of a snapshot one after another. */
export type ContainerWriter = {
  /** Ends when the part is on its way: what reads more slowly than we write is waited for. */
  part(name: string, bytes: Uint8Array): Promise<void>
  /** Writes the last part, and ends when everything has been taken. */
  end(saved: Omit<Ending, 'parts'>): Promise<Ending>
  /** Gives up; the destination fails. */
  abort(error: unknown): void
}

/** Much faster than the default, and a tenth larger. */
const gzipLevel = 3

/**
 * A snapshot is a gzipped tar, which can be looked into with everyday tools. What a tar does not
 * have is added: the sum of every part, and a last part without which it is not whole.
 */
export function writeContainer(manifest: Manifest, destination: Writable): ContainerWriter {
  const tar = pack()
  const parts: Ending['parts'] = []
  // Told by the pipeline, and once more by the stream itself.
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
      throw new SnapshotError(`${name.slice(0, 200)} is larger than a part of a snapshot may be`, {
        code: 'storage',
        hint: 'Nothing was saved. Report what is stored there.',
      })
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
