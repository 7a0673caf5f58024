import type { Writable } from 'node:stream'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Database } from '../store/database.ts'
import { refuseNewer, schemaVersion } from '../store/schemaVersion.ts'
import { keptTables } from './catalog.ts'
import type { ChainSource } from './chainSource.ts'
import { numbered } from './containerParts.ts'
import { dumpTable, exactTexts } from './dumpTable.ts'
import { formatVersion, type Manifest } from './manifest.ts'
import { SnapshotError } from './snapshotError.ts'
import { type ContainerWriter, writeContainer } from './writeContainer.ts'

/** The part of a content store that a snapshot needs. */
type ContentSource = {
  list(): Promise<readonly { readonly cid: string; readonly bytes: number }[]>
  /** Undefined, or an error, for a block that does not match its id. */
  block(cid: string): Promise<Uint8Array | undefined>
}

export type SnapshotSources = {
  readonly database: Database
  readonly chain?: ChainSource | undefined
  readonly content?: ContentSource | undefined
  /** Version of this package. */
  readonly release: string
  readonly clock: Clock
}

/** Size of the pieces of a chain's state. */
const chainPieceBytes = 4 * 1024 * 1024

/**
 * Writes a consistent snapshot. The chain is stopped while the database's transaction begins and
 * the chain is read, so that the database refers to no block that the chain does not have.
 * Contents, which are never deleted, are read last. Memory use does not depend on the size.
 *
 * @throws SnapshotError `source`, `storage`; StoreError `schema`, `unavailable`
 */
export async function saveSnapshot(sources: SnapshotSources, destination: Writable): Promise<void> {
  const { database, chain, content } = sources
  let writer: ContainerWriter | undefined
  const resume = await chain?.hold()
  try {
    const saved = await database.transaction(async (tx) => {
      await tx.execute(`set transaction isolation level repeatable read, read only; ${exactTexts}`)
      const schema = await schemaVersion(tx)
      if (schema === 0) throw emptyDatabase()
      refuseNewer(schema)
      const tables = await keptTables(tx)
      const manifest: Manifest = {
        format: 'svc-snapshot',
        version: formatVersion,
        createdAt: new Date(sources.clock()).toISOString(),
        release: sources.release,
        schema,
        engine: database.engine,
        tables: tables.map(({ name, columns }) => ({
          name,
          columns: columns.map((column) => column.name),
        })),
        chain: chain === undefined ? null : { block: (await chain.block()) ?? null },
        content: content !== undefined,
      }
      writer = writeContainer(manifest, destination)
      await writer.part('manifest.json', Buffer.from(JSON.stringify(manifest)))
      if (chain !== undefined) await saveChain(chain, writer)
      await resume?.()
      const rows: Record<string, number> = {}
      for (const table of tables) {
        let piece = 0
        rows[table.name] = 0
        for await (const { count, bytes } of dumpTable(tx, table)) {
          await writer.part(numbered(`database/${table.name}`, piece++), bytes)
          rows[table.name] = (rows[table.name] ?? 0) + count
        }
      }
      return { rows, writer }
    })
    const leftOut = content === undefined ? [] : await saveContents(content, saved.writer)
    await saved.writer.end({ rows: saved.rows, leftOut })
  } catch (error) {
    writer?.abort(error)
    if (!destination.destroyed) destination.destroy()
    throw error
  } finally {
    await resume?.()
  }
}

async function saveChain(chain: ChainSource, writer: ContainerWriter): Promise<void> {
  await writer.part('chain/deployment.json', chain.deployment)
  let piece = 0
  let kept: Uint8Array[] = []
  let size = 0
  const flush = async () => {
    if (size > 0) await writer.part(numbered('chain/state', piece++), Buffer.concat(kept))
    kept = []
    size = 0
  }
  for await (const bytes of chain.state()) {
    kept.push(bytes)
    size += bytes.length
    if (size >= chainPieceBytes) await flush()
  }
  await flush()
}

/** @returns the ids of altered contents */
async function saveContents(content: ContentSource, writer: ContainerWriter): Promise<string[]> {
  const leftOut: string[] = []
  for (const { cid } of await content.list()) {
    const block = await content.block(cid).catch(() => undefined)
    if (block === undefined) leftOut.push(cid)
    else await writer.part(`content/${cid}`, block)
  }
  return leftOut
}

const emptyDatabase = () =>
  new SnapshotError('The database is empty: there is nothing to save', {
    code: 'source',
    hint: 'Check that it is the right one. A service creates its tables when it first starts.',
  })
