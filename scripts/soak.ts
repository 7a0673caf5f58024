/**
 * `npm run soak`: mixed load on a whole cluster (PostgreSQL, Anvil, four operators, two gateways,
 * an indexer, all in separate processes) while parts are killed, stopped and reverted. Finally it
 * audits everything that was acknowledged. Exits 1 if something is lost, duplicated, stuck or
 * contradicts a response, or if a process ended unexpectedly; 2 if it could not run.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { audit } from './soak/audit.ts'
import { soakClient } from './soak/client.ts'
import { type Cluster, startCluster } from './soak/cluster.ts'
import { faultsOf, injectFaults } from './soak/faults.ts'
import { newLedger } from './soak/ledger.ts'
import { startLoad } from './soak/load.ts'
import { seededRandom } from './soak/random.ts'
import { requestMix } from './soak/requests.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    lanes: { type: 'string', default: '8' },
    'per-second': { type: 'string', default: '12' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
})
function number(name: 'minutes' | 'seed' | 'lanes' | 'per-second', least: number, most: number) {
  const value = Number(options[name])
  if (value >= least && value <= most) return value
  console.error(`--${name} must be a number from ${least} to ${most}`)
  process.exit(2)
}
const minutes = number('minutes', 0.1, 600)
const seed = number('seed', 0, 2 ** 32 - 1)
const lanes = number('lanes', 1, 64)
const perSecond = number('per-second', 0.1, 500)

const begin = performance.now()
const say = (text: string) =>
  console.log(
    `${new Date().toISOString().slice(11, 19)}${((performance.now() - begin) / 1000).toFixed(0).padStart(5)} s  ${text}`,
  )
console.log(
  `seed ${seed}, ${minutes} minutes, ${lanes} connections, ${perSecond} requests per second`,
)

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => reject(new Error(`interrupted by ${signal}`)))
})
let cluster: Cluster | undefined
try {
  cluster = await startCluster((step) => say(`starting: ${step}`))
  process.exitCode = (await Promise.race([soak(cluster), interrupted])) ? 0 : 1
} catch (error) {
  console.error(error)
  process.exitCode = 2
} finally {
  await cluster?.close()
}
process.exit()

async function soak(cluster: Cluster): Promise<boolean> {
  const random = seededRandom(seed)
  const ledger = newLedger()
  const client = soakClient({ ledger, gateway: () => random.pick(cluster.gateways).ready })
  const faults = faultsOf(cluster, random).filter(
    ({ name }) => options.only === undefined || new RegExp(options.only).test(name),
  )
  if (faults.length === 0) throw new Error(`no fault matches --only ${options.only}`)
  const load = startLoad(await requestMix(cluster, ledger, client), { lanes, perSecond, random })
  const injected = await injectFaults(faults, {
    node: cluster.node,
    random,
    duration: minutes * 60_000,
    tell: (name) => say(`${name} (${ledger.tasks.size} tasks acknowledged)`),
  })
  say('the last fault has ended')
  await load.stop()
  const found = await audit(cluster, ledger)
  const exits = cluster.exits()
  const report = {
    seed,
    minutes,
    faults: Object.fromEntries(injected),
    answers: Object.fromEntries(ledger.answers),
    unexplained: Object.fromEntries(ledger.unexplained),
    ...found,
    exits,
    internalErrors: cluster.internalErrors(),
    chainLog: found.contradictions.length > 0 ? cluster.chainLog() : [],
  }
  if (options.out !== undefined)
    writeFileSync(options.out, `${JSON.stringify(report, undefined, 2)}\n`)
  print(report)
  const wrong = [found.lost, found.duplicates, found.stuck, found.contradictions, exits]
  return wrong.every((list) => list.length === 0) && found.acknowledged > 0
}

function print(report: Awaited<ReturnType<typeof audit>> & Record<string, unknown>): void {
  const line = (name: string, value: string | number) =>
    console.log(`  ${name.padEnd(32)} ${value}`)
  const table = (title: string, counts: object) => {
    console.log(`\n${title}`)
    for (const [name, times] of Object.entries(counts)) line(name, times)
  }
  table('faults injected', report.faults as object)
  table('answers', report.answers as object)
  const unexplained = Object.entries(report.unexplained as Record<string, number>)
  console.log(`\nresponses not explained by an outage: ${unexplained.length === 0 ? 'none' : ''}`)
  for (const [text, times] of unexplained) console.log(`  ${times} x ${text}`)
  for (const line of report.internalErrors as string[])
    console.log(`  log: ${line.slice(0, 2_000)}`)
  for (const line of report.chainLog as string[]) console.log(`  log: ${line}`)
  console.log('\naudit')
  line('tasks acknowledged', report.acknowledged)
  line('found', report.found)
  line('posted', report.posted)
  line('reported failed', report.reportedFailed)
  for (const name of ['lost', 'duplicates', 'stuck', 'contradictions', 'exits'] as const) {
    const list = report[name] as readonly string[]
    line(name, list.length)
    for (const each of list.slice(0, 20)) console.log(`    ${each}`)
  }
}
