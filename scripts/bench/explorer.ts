import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import { startReaders, startServer } from './explorer/children.ts'
import { fill, fillFailed } from './explorer/fill.ts'
import { chainId, history } from './explorer/history.ts'
import {
  isPostgresMissing,
  type MeasuredPostgres,
  startMeasuredPostgres,
} from './explorer/postgres.ts'
import { processorSeconds } from './explorer/processorTime.ts'
import { profileReading, readingLines } from './explorer/profileReading.ts'
import { type Reading, type ReadingResult, readings } from './explorer/readings.ts'
import { indexSizesOf, sizesOf } from './explorer/sizes.ts'
import { countingSettings } from './explorer/statements.ts'

/**
 * `npm run bench:explorer`: the explorer on PostgreSQL with a million tasks of ten thousand
 * policies, inserted as by an indexer and read over HTTP with keys on 16 connections, at a tenth of
 * the rows (--from) and at all of them. Without PostgreSQL nothing is measured. Options: --rows,
 * --from, --policies, --requests, --connections, --quick (2,000 rows), --url (an empty database
 * instead of a temporary server), --only (paths whose name contains this text), --profile DIR (at
 * all rows only: repeats the slowest path under the profiler, and counts statements), --json.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string' },
    from: { type: 'string' },
    policies: { type: 'string' },
    requests: { type: 'string' },
    connections: { type: 'string', default: '16' },
    quick: { type: 'boolean', default: false },
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const full = options.quick
  ? { rows: 2_000, policies: 50, requests: 32 }
  : { rows: 1_000_000, policies: 10_000, requests: 3_200 }
const rows = Number(options.rows ?? full.rows)
const from = Number(options.from ?? rows / 10)
const policies = Number(options.policies ?? full.policies)
const requests = Number(options.requests ?? full.requests)
const connections = Number(options.connections)
function say(line: string) {
  if (!options.json) console.log(line)
}

/** One that counts statements for a profile, if it can. */
const startPostgres = () =>
  options.profile === undefined
    ? startMeasuredPostgres()
    : startMeasuredPostgres(countingSettings).catch(() => startMeasuredPostgres())

const postgres: MeasuredPostgres =
  options.url === undefined
    ? await startPostgres().catch((error: unknown) => {
        if (!isPostgresMissing(error)) throw error
        console.error(`${error.message}. Pass --url of a running server. Not measured.`)
        if (options.json) console.log('{}')
        process.exit(0)
      })
    : { url: options.url, from: 'the given server', pid: undefined, stop: async () => {} }

/** Goals: every path below 20 ms at p99, the last page within three times the first. */
async function measure(store: Store, url: string): Promise<ReadingResult[]> {
  const server = await startServer(url)
  const readers = startReaders()
  const results: ReadingResult[] = []
  try {
    const all = await readings(store, policies)
    // Warms up compiled code, cached pages and query plans.
    for (const reading of all)
      await readers.run({
        url: server.url,
        keys: server.keys,
        connections,
        requests: connections,
        warmUp: Math.floor(requests / 10),
        reading,
      })
    for (const reading of all) {
      if (!reading.name.includes(options.only)) continue
      const job = { url: server.url, keys: server.keys, connections, requests, reading }
      const warmUp = Math.min(requests, 320)
      const used = () => [server.pid, postgres.pid].map(processorSeconds) as [number, number]
      const before = used()
      const measured = await readers.run({ ...job, warmUp })
      const [api, database] = used().map(
        (seconds, i) => (1000 * (seconds - (before[i] as number))) / (requests + warmUp),
      ) as [number, number]
      const result = { ...measured, api, postgres: database }
      results.push(result)
      const { name, p50, p99, perSecond, bytes } = result
      const cells = [p50, p99].map((ms) => ms.toFixed(1))
      cells.push(perSecond.toFixed(0), (bytes / 1024).toFixed(1))
      cells.push(api.toFixed(2), database.toFixed(2))
      say(name.padEnd(56) + cells.map((cell) => cell.padStart(10)).join(''))
    }
  } finally {
    await readers.close()
    await server.close()
  }
  return results
}

async function fillAndMeasure(
  store: Store,
  url: string,
  batches: ReturnType<typeof history>,
  upTo: number,
) {
  const filled = await fill(store, batches, upTo, say)
  const perSecond = filled.rows / filled.seconds
  say(
    `${upTo} rows: ${filled.rows} tasks and ${filled.events} events inserted, ${perSecond.toFixed(0)} rows and ${(filled.events / filled.seconds).toFixed(0)} events a second`,
  )
  // A twentieth of the tasks never reached the chain.
  const failed = await fillFailed(store, upTo, Math.floor(filled.rows / 20))
  say(`${failed.rows} records of gateways: ${(failed.rows / failed.seconds).toFixed(0)} a second`)
  await store.database.execute('vacuum analyze')
  // Not while what was inserted is still being written.
  await store.database.execute('checkpoint')
  say(`${'path, ms'.padEnd(56)}       p50       p99  a second       KiB   API cpu    PG cpu`)
  return { filled, failed, results: await measure(store, url) }
}

/** Repeats the path with the longest p99 under the profiler. */
async function profileSlowest(store: Store, results: readonly ReadingResult[], directory: string) {
  const slowest = results.reduce((most, one) => (one.p99 > most.p99 ? one : most))
  const reading = (await readings(store, policies)).find(({ name }) => name === slowest.name)
  const load = { connections, requests, directory }
  const profile = await profileReading(store, postgres, reading as Reading, load)
  for (const line of readingLines(profile)) say(line)
  return profile
}

const store = await openStore({ url: postgres.url })
try {
  say(`PostgreSQL from ${postgres.from}; ${connections} connections, ${requests} requests a path`)
  const batches = history({ tasks: rows, policies })
  if (options.profile !== undefined) {
    const { results } = await fillAndMeasure(store, postgres.url, batches, rows)
    const profile = await profileSlowest(store, results, resolve(options.profile))
    if (options.json) console.log(JSON.stringify({ profile }))
    await close()
    process.exit(0)
  }
  const small = await fillAndMeasure(store, postgres.url, batches, from)
  const large = await fillAndMeasure(store, postgres.url, batches, rows)
  say(`${'growth of p50 and p99 from the first measurement'.padEnd(56)}       p50       p99`)
  for (const result of large.results) {
    const before = small.results.find(({ name }) => name === result.name)
    if (before === undefined) continue
    const cells = [result.p50 / before.p50, result.p99 / before.p99]
    say(result.name.padEnd(56) + cells.map((cell) => cell.toFixed(2).padStart(10)).join(''))
  }
  say(`${'last page over first page'.padEnd(56)}       p50       p99`)
  for (const first of large.results.filter(({ name }) => name.endsWith('page first'))) {
    const list = first.name.slice(0, -'first'.length)
    const last = large.results.find(({ name }) => name === `${list}last`)
    if (last === undefined) continue
    const cells = [last.p50 / first.p50, last.p99 / first.p99]
    say(list.padEnd(56) + cells.map((cell) => cell.toFixed(2).padStart(10)).join(''))
  }
  const { total } = await store.explorer.tasks(chainId, { page: 1, size: 1 })
  const sizes = await sizesOf(store.database)
  say(`${'bytes a task'.padEnd(40)}      rows    heap   toast  indexes`)
  for (const { table, heap, toast, indexes } of sizes) {
    const cells = [heap, toast, indexes].map((bytes) => (bytes / total).toFixed(0).padStart(8))
    say(`${table.padEnd(50)}${cells.join('')}`)
  }
  const all = sizes.reduce((sum, { heap, toast, indexes }) => sum + heap + toast + indexes, 0)
  say(`${'together'.padEnd(50)}${(all / total).toFixed(0).padStart(8)}`)
  const indexes = await indexSizesOf(store.database)
  for (const { index, bytes } of indexes.filter(({ bytes }) => bytes / total >= 1))
    say(`  ${index.padEnd(48)}${(bytes / total).toFixed(0).padStart(8)}`)
  if (options.json)
    console.log(JSON.stringify({ postgres: postgres.from, small, large, sizes, indexes }))
} finally {
  await close()
}
process.exit(0)

async function close() {
  await store.close()
  await postgres.stop()
}
