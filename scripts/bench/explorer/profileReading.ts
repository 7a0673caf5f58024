import { availableParallelism } from 'node:os'
import type { Store } from 'polgate-service/store/openStore.ts'
import { now } from '../service/profiledLoads.ts'
import type { Window } from '../service/profileSummary.ts'
import { startReaders, startServer } from './children.ts'
import type { MeasuredPostgres } from './postgres.ts'
import { processorSeconds } from './processorTime.ts'
import type { Reading, ReadingResult } from './readings.ts'
import { resetStatements, type StatementTime, statementTimes } from './statements.ts'

type Load = { readonly connections: number; readonly requests: number }

/** Where the time of one kind of request goes; the profiles of the API are in files. */
export type ReadingProfile = Load & {
  readonly cores: number
  readonly result: ReadingResult
  /** The time of the requests, by the clock of the profiles. */
  readonly window: Window
  /** CPU milliseconds of the API and of PostgreSQL, of all requests. */
  readonly apiMs: number
  readonly postgresMs: number
  /** Undefined where the server does not count them. */
  readonly statements: readonly StatementTime[] | undefined
}

/**
 * Requests under the profiler, which slows the API down: the figures explain, they do not measure.
 *
 * @param directory for the profiles of the API's threads
 */
export async function profileReading(
  store: Store,
  postgres: MeasuredPostgres,
  reading: Reading,
  { directory, connections, requests }: Load & { readonly directory: string },
): Promise<ReadingProfile> {
  const server = await startServer(postgres.url, directory)
  const readers = startReaders()
  try {
    const job = { url: server.url, keys: server.keys, connections, requests, reading, warmUp: 0 }
    await readers.run({ ...job, requests: Math.ceil(requests / 2) })
    const counts = await resetStatements(store.database)
    const used = () => [server.pid, postgres.pid].map((pid) => 1000 * processorSeconds(pid))
    const [api = Number.NaN, database = Number.NaN] = used()
    const from = now()
    const result = await readers.run(job)
    const to = now()
    const [apiAfter = Number.NaN, databaseAfter = Number.NaN] = used()
    const statements = counts ? await statementTimes(store.database) : undefined
    const [apiMs, postgresMs] = [apiAfter - api, databaseAfter - database]
    const cores = availableParallelism()
    const load = { connections, requests, cores }
    return { ...load, result, window: { from, to }, apiMs, postgresMs, statements }
  } finally {
    await readers.close()
    await server.close()
  }
}

/** Lines for people: what a request costs, and how long it waits for a processor. */
export function readingLines(profile: ReadingProfile): string[] {
  const { result, apiMs, postgresMs, statements, connections, requests, cores } = profile
  const each = (ms: number) => `${(ms / requests).toFixed(2)} ms`
  const turn = (connections / result.perSecond) * 1000
  return [
    `  ${result.name}: ${result.perSecond.toFixed(0)} a second, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
    `  CPU time of a request: API ${each(apiMs)}, PostgreSQL ${each(postgresMs)}`,
    `  with ${connections} requests at any time on ${cores} processors, one takes ${turn.toFixed(1)} ms, most of which it waits`,
    statements === undefined
      ? '  this PostgreSQL does not count statements (extension pg_stat_statements)'
      : '  statements of PostgreSQL, planned and run:',
    ...(statements ?? []).map(
      ({ statement, calls, planMs, runMs }) =>
        `      ${(planMs / calls).toFixed(3)} + ${(runMs / calls).toFixed(3)} ms, ${calls} times  ${statement}`,
    ),
  ]
}
