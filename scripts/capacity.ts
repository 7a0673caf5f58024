/**
 * What a rate of tasks needs: a discrete-event simulation with measured costs. `--help` describes
 * the options, SCALE.md the model and its results.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { assumptions } from './capacity/assumptions.ts'
import { type ClusterReport, calibrate, runCluster } from './capacity/calibrate.ts'
import { costsFile, readCosts } from './capacity/costs.ts'
import { defaultPrices } from './capacity/defaultPrices.ts'
import type { Topology } from './capacity/deployment.ts'
import { readPrices } from './capacity/prices.ts'
import { printed } from './capacity/print.ts'
import { capacityReport } from './capacity/report.ts'

const help = `npm run capacity -- [options]

  --rate 10000         tasks per second
  --operators 16       operators of every task
  --topology flat      flat, or tree: sub-aggregators between gateway and operators
  --fan-out N          operators of one sub-aggregator; default: the square root of their number
  --oracle             each operator runs an oracle first
  --max-p99 250        bound of the latency of createTask, milliseconds
  --max-utilisation 70 bound of the utilisation of every kind of process, percent
  --tasks N            tasks to simulate; default: 480,000 divided by the number of operators
  --times exponential  CPU times: exponential with the measured mean, or constant
  --seed 1             the same seed gives the same result
  --costs FILE         measured costs; default: scripts/capacity/costs.json
  --prices FILE        JSON with prices instead of the defaults:
                       ${Object.entries(defaultPrices)
                         .map(([name, value]) => `${name} ${value}`)
                         .join(', ')
                         .replace(/(.{50,75}), /g, '$1,\n                       ')}
  --assume NAME=VALUE  an assumption, may be repeated:
                       ${Object.entries(assumptions)
                         .map(([name, value]) => `${name} ${value}`)
                         .join(', ')
                         .replace(/(.{50,75}), /g, '$1,\n                       ')}
  --json               one JSON document instead of tables
  --calibrate          measures the costs and writes them: runs bench:cluster (some minutes), and
                       measures signatures, statements, Rego and an oracle
  --cluster FILE       with --calibrate: the output of bench:cluster --json instead of running it

Prints the least processes and machines of each kind, the topologies of aggregation, what chains can
take, the cost of a million tasks, and the model's prediction of the measured clusters.`

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '10000' },
    operators: { type: 'string', default: '16' },
    topology: { type: 'string', default: 'flat' },
    'fan-out': { type: 'string' },
    oracle: { type: 'boolean', default: false },
    'max-p99': { type: 'string', default: '250' },
    'max-utilisation': { type: 'string', default: '70' },
    tasks: { type: 'string' },
    times: { type: 'string', default: 'exponential' },
    seed: { type: 'string', default: '1' },
    costs: { type: 'string', default: costsFile },
    prices: { type: 'string' },
    assume: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    calibrate: { type: 'boolean', default: false },
    cluster: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (options.help) {
  console.log(help)
  process.exit(0)
}
function fail(message: string): never {
  console.error(`${message}\n\n${help}`)
  process.exit(2)
}
function topologyOf(text: string): Topology {
  return text === 'flat' || text === 'tree' ? text : fail(`unknown topology: ${text}`)
}
function timesOf(text: string): 'exponential' | 'constant' {
  return text === 'exponential' || text === 'constant' ? text : fail(`unknown times: ${text}`)
}
function number(name: string, text: string, most = 1e9): number {
  const value = Number(text)
  return value > 0 && value <= most ? value : fail(`${name}: ${text} is not a number up to ${most}`)
}

if (options.calibrate) {
  const report =
    options.cluster === undefined
      ? await runCluster()
      : (JSON.parse(readFileSync(options.cluster, 'utf8')) as ClusterReport)
  const costs = await calibrate(report, (step) => console.error(step))
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value
  writeFileSync(options.costs, `${JSON.stringify(costs, rounded, 2)}\n`)
  console.error(`written: ${options.costs}`)
  process.exit(0)
}

const given: Record<string, number> = { ...assumptions }
for (const each of options.assume) {
  const [name = '', value = ''] = each.split('=')
  if (!Object.hasOwn(given, name)) fail(`unknown assumption: ${name}`)
  given[name] = number(name, value)
}
const operators = number('--operators', options.operators, 1_000)
const capacity = {
  costs: readCosts(options.costs),
  assumptions: given as typeof assumptions,
  prices: readPrices(options.prices),
  workload: {
    rate: number('--rate', options.rate),
    operators,
    topology: topologyOf(options.topology),
    fanOut: number('--fan-out', options['fan-out'] ?? String(Math.round(Math.sqrt(operators)))),
    withOracle: options.oracle,
  },
  maxUtilisation: number('--max-utilisation', options['max-utilisation'], 99) / 100,
  maxP99: number('--max-p99', options['max-p99']),
  tasks: number('--tasks', options.tasks ?? String(Math.round(480_000 / operators)), 1e7),
  times: timesOf(options.times),
  seed: number('--seed', options.seed, 2 ** 32 - 1),
}
const report = capacityReport(capacity)
const { costs: _, ...parameters } = capacity
console.log(options.json ? JSON.stringify({ ...parameters, ...report }) : printed(capacity, report))
