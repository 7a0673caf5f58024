import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'

/** Files of `template1` and `template0`, whose OIDs are fixed in PostgreSQL. */
const templateFile = /^\/?base\/[14]\//

/**
 * Removes the template databases from the tar archive of a cluster. Only `create database` reads
 * them, which a cluster in memory never runs; they are half of its size and most of its load time.
 */
export async function withoutTemplates(cluster: Uint8Array): Promise<Uint8Array> {
  const source = extract()
  const kept = pack()
  const image = buffer(kept)
  source.end(cluster)
  for await (const entry of source) {
    if (templateFile.test(entry.header.name)) entry.resume()
    else await pipeline(entry, kept.entry(entry.header))
  }
  kept.finalize()
  return await image
}

/** Writes the files of a cluster into a new directory, for its owner only. */
export async function extractCluster(cluster: Uint8Array, directory: string): Promise<void> {
  const source = extract()
  source.end(cluster)
  mkdirSync(directory, { mode: 0o700 })
  for await (const entry of source) {
    const path = join(directory, entry.header.name)
    if (!`${path}${sep}`.startsWith(`${directory}${sep}`))
      throw new Error(`the archive of the cluster has a file outside it: ${entry.header.name}`)
    if (entry.header.type === 'directory') {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      entry.resume()
    } else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, await buffer(entry), { mode: 0o600 })
    }
  }
}
