/**
 * Throughput of a whole deployment on this machine, and its first bottleneck. Starts PostgreSQL,
 * Anvil, an indexer, operators and gateways, each in its own process on loopback, as
 * `scripts/compose.yaml` does in containers, and sends `createTask` of a policy without oracle.
 */
import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { startDeployment } from './cluster/deployment.ts'
import { type ClusterRow, measureGateways } from './cluster/measure.ts'
import { kinds } from './cluster/usage.ts'

const help = `npm run bench:cluster -- [options]

  --gateways 1,2,4    numbers of gateway processes
  --operators 4,16    numbers of operator processes
  --seconds 20        how long the load of each configuration lasts
  --warm-up 150       tasks before it
  --callers 16        callers in total; each sends its next task after the response
  --quick             one gateway, four operators, 60 tasks
  --json              one JSON document instead of tables

Per configuration: tasks per second and latencies at the caller; CPU milliseconds per task of each
kind of process, until all results are posted and indexed; the first bottleneck. That is the kind of
process with a saturated main thread, or "cores" when all cores of the machine are in use. All
processes share the machine, also with the load and with whatever else runs: on few cores the
throughput is that of the machine, and the CPU times per task are the transferable result. The cores
that the processes got are printed. Needs Linux (/proc).`

const { values: options } = parseArgs({
  options: {
    gateways: { type: 'string' },
    operators: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    'warm-up': { type: 'string' },
    callers: { type: 'string', default: '16' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (options.help) {
  console.log(help)
  process.exit(0)
}
function positive(text: string): number {
  const value = Number(text)
  if (value > 0 && value <= 1_000) return value
  console.error(`not a number from 1 to 1000: ${text}\n\n${help}`)
  process.exit(2)
}
const gateways = (options.gateways ?? (options.quick ? '1' : '1,2,4')).split(',').map(positive)
const operators = (options.operators ?? (options.quick ? '4' : '4,16')).split(',').map(positive)
const load = {
  callers: options.quick ? 8 : positive(options.callers),
  seconds: positive(options.seconds),
  warmUp: positive(options['warm-up'] ?? (options.quick ? '20' : '150')),
  most: options.quick ? 60 : Number.POSITIVE_INFINITY,
}

const interrupt = new AbortController()
// One for each request in flight.
setMaxListeners(0, interrupt.signal)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupt.abort(new Error(`interrupted by ${signal}`)))

const rows: ClusterRow[] = []
const cores = availableParallelism()
if (!options.json) console.log(`${cores} cores, node ${process.version}`)
try {
  for (const count of operators) await withOperators(count)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(interrupt.signal.aborted ? 130 : 1)
}
if (options.json) console.log(JSON.stringify({ node: process.version, cores, load, rows }))
process.exit(0)

async function withOperators(count: number): Promise<void> {
  const cleanup = createCleanupStack()
  try {
    const deployment = await startDeployment(count, cleanup)
    for (const each of gateways) {
      interrupt.signal.throwIfAborted()
      const row = await measureGateways(deployment, each, { ...load, signal: interrupt.signal })
      rows.push(row)
      if (!options.json) print(row)
    }
  } finally {
    await cleanup.close()
  }
}

function print(row: ClusterRow): void {
  const { load: done, bottleneck, posting } = row
  console.log(`\n${row.gateways} gateways, ${row.operators} operators, ${done.tasks} tasks`)
  console.log(
    `  ${done.perSecond.toFixed(1)} tasks/s   p50 ${done.p50.toFixed(0)} ms   p99 ${done.p99.toFixed(0)} ms`,
  )
  const cpu = kinds.map((kind) => `${kind} ${row.cpuMs[kind].toFixed(1)}`)
  console.log(`  CPU ms per task: ${cpu.join(', ')}`)
  const idle = kinds.map((kind) => `${kind} ${row.idleMs[kind].toFixed(1)}`)
  console.log(`  idle, CPU ms per second: ${idle.join(', ')}`)
  console.log(`  cores used by these processes: ${(row.during.own * cores).toFixed(2)}`)
  console.log(
    `  per task: ${row.commitsPerTask.toFixed(1)} commits, ${row.walBytesPerTask.toFixed(0)} bytes of log, ${(posting.gasUsed / done.tasks).toFixed(0)} gas`,
  )
  console.log(
    `  ${posting.transactions} transactions of ${(done.tasks / posting.transactions).toFixed(1)} results`,
  )
  console.log(`  first bottleneck: ${bottleneck.name} (${bottleneck.why})`)
}
