import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from 'polgate-service/store/storeError.ts'
import { startPostgres } from 'polgate-service/store/testing/postgresServer.ts'

export type MeasuredPostgres = {
  readonly url: string
  /** Origin of the server, for the report. */
  readonly from: string
  /** Undefined for a server that was already running. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

/** Whether there is no PostgreSQL on this machine: then nothing can be measured with it. */
export const isPostgresMissing = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'not-found'

/**
 * A durable server with enough memory for the measurement.
 *
 * @param more settings beside those
 * @throws StoreError `not-found`, `unavailable`
 */
export async function startMeasuredPostgres(
  more: Readonly<Record<string, string>> = {},
): Promise<MeasuredPostgres> {
  const server = await startPostgres({
    durable: true,
    settings: {
      shared_buffers: '2GB',
      max_wal_size: '4GB',
      checkpoint_timeout: '15min',
      autovacuum_naptime: '15s',
      ...more,
    },
  })
  const { url, from, directory } = server
  const pid = directory === undefined ? undefined : await pidOf(directory)
  return { url, from, pid, stop: () => server.stop() }
}

/** The first line of the server's log. */
const pidOf = async (directory: string): Promise<number> =>
  Number.parseInt(await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8'), 10)
