import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from 'polgate-service/store/testing/postgresServer.ts'

export type MeasuredPostgres = {
  readonly url: string
  /** Where it comes from. */
  readonly from: string
  /** Undefined for a server that was there before. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

/**
 * A server that keeps what it commits, with memory enough for what is measured.
 *
 * @throws StoreError `not-found`, `unavailable`
 */
export async function startMeasuredPostgres(): Promise<MeasuredPostgres> {
  const server = await startPostgres({
    durable: true,
    settings: {
      shared_buffers: '2GB',
      max_wal_size: '4GB',
      checkpoint_timeout: '15min',
      autovacuum_naptime: '15s',
    },
  })
  const { url, from, directory } = server
  const pid = directory === undefined ? undefined : await pidOf(directory)
  return { url, from, pid, stop: () => server.stop() }
}

/** The first line of what the server writes of itself. */
const pidOf = async (directory: string): Promise<number> =>
  Number.parseInt(await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8'), 10)
