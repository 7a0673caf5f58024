/**
 * `npm run bench:growth`: how cost grows with operators, stored tasks, API keys, subscribers, oracles
 * of a policy, size of data, and memory with tasks done. For each the exponent of the size in the
 * cost, compared with a bound; exits with 1 if one is exceeded. Options: --only NAME,...; --tasks N
 * (over which memory is observed; default 100,000); --quick (small sizes, bounds are not compared);
 * --json.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Dimension, Series } from './growth/dimension.ts'
import { apiKeys } from './growth/dimensions/apiKeys.ts'
import { dataSize } from './growth/dimensions/dataSize.ts'
import { memory } from './growth/dimensions/memory.ts'
import { operators } from './growth/dimensions/operators.ts'
import { oraclesPerPolicy } from './growth/dimensions/oraclesPerPolicy.ts'
import { storedTasks } from './growth/dimensions/storedTasks.ts'
import { subscribers } from './growth/dimensions/subscribers.ts'
import { fitted } from './growth/fit.ts'

const dimensions: Readonly<Record<string, Dimension>> = {
  operators,
  'stored-tasks': storedTasks,
  'api-keys': apiKeys,
  subscribers,
  oracles: oraclesPerPolicy,
  'data-size': dataSize,
  memory,
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    tasks: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const { quick, json } = options
const chosen = options.only?.split(',') ?? Object.keys(dimensions)
const unknown = chosen.find((name) => !Object.hasOwn(dimensions, name))
if (unknown !== undefined) {
  console.error(`unknown ${unknown}: choose from ${Object.keys(dimensions).join(', ')}`)
  process.exit(2)
}
function say(line: string) {
  if (!json) console.log(line)
}

const report: Record<string, unknown> = {}
const exceeded: string[] = []
for (const name of chosen) {
  const { title, measure } = dimensions[name]!
  say(`\n${name}: ${title}`)
  const tasks = Number(options.tasks ?? (quick ? 160 : 100_000))
  const found = await measure({ quick, tasks, say })
  if (typeof found === 'string') {
    say(`  not measured: ${found}`)
    report[name] = { notMeasured: found }
    continue
  }
  report[name] = found.map((series) => ({ ...series, ...fitted(series) }))
  for (const series of found) tell(name, series)
}
say(
  exceeded.length === 0
    ? '\nno bound is exceeded'
    : `\nbounds are exceeded: ${exceeded.join('; ')}`,
)
if (json) {
  const cores = availableParallelism()
  console.log(JSON.stringify({ node: process.version, cores, quick, growth: report, exceeded }))
}
process.exit(exceeded.length === 0 ? 0 : 1)

function tell(name: string, series: Series): void {
  const { what, unit, points, bound } = series
  const { exponent, factor, kept } = fitted(series)
  const shown = points.map(
    ({ size, cost }) => `${size}: ${cost >= 100 ? cost.toFixed(0) : cost.toPrecision(3)} ${unit}`,
  )
  const limit =
    'factor' in bound
      ? `×${factor.toFixed(2)}, at most ×${bound.factor}`
      : `at most ${bound.exponent}`
  const verdict = quick ? 'too small to compare' : kept ? 'kept' : 'exceeded'
  say(`  ${what}`)
  say(`    ${shown.join(', ')}`)
  say(`    exponent ${exponent.toFixed(2)}; ${limit}: ${verdict}`)
  if (!quick && !kept) exceeded.push(`${name}, ${what}`)
}
