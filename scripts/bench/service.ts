/**
 * Speed of the whole service, and where time and memory are spent, compared with its goals
 * (service/goals.ts).
 *
 *   npm run bench -- [--only ready,tasks,methods,operators,webhooks,updates,memory,certify,gas,explorer,durability]
 *     [--profile DIR] [--no-goals] [--quick] [--json]
 *
 * Figures are comparable within one run only, not across machines or times: goals take into account
 * what a bare hono echo server achieves in the same run. Exits with 1 if one is missed; then the
 * load is repeated under the profiler. `--profile` does that for every load of the chosen sections
 * and keeps the profiles. `--quick` only runs everything, without goals.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ServiceBench, ServiceSection } from './service/bench.ts'
import { explain } from './service/explain.ts'
import { goals } from './service/goals.ts'
import { goalLines, goalReport } from './service/goalTable.ts'
import { judge } from './service/judge.ts'
import { type MeasuredReference, measuredAgain, measureReference } from './service/reference.ts'
import { updates, webhooks } from './service/sections/apart.ts'
import { certify } from './service/sections/certify.ts'
import { durability } from './service/sections/durability.ts'
import { explorer } from './service/sections/explorer.ts'
import { gas } from './service/sections/gas.ts'
import { memory } from './service/sections/memory.ts'
import { methods } from './service/sections/methods.ts'
import { operators } from './service/sections/operators.ts'
import { ready } from './service/sections/ready.ts'
import { tasks } from './service/sections/tasks.ts'

const sections: Readonly<Record<string, ServiceSection>> = {
  ready,
  tasks,
  durability,
  methods,
  operators,
  webhooks,
  updates,
  memory,
  certify,
  gas,
  explorer,
}
/** What a short run leaves out, because the short form of another benchmark runs it as well. */
const long = ['operators', 'webhooks', 'updates', 'memory', 'certify', 'explorer']

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
    'no-goals': { type: 'boolean', default: false },
  },
})
const { quick, json } = options
const calls = quick ? 500 : 5_000
const usual = Object.keys(sections).filter((name) => !(quick && long.includes(name)))
const chosen = options.only?.split(',') ?? usual
const unknown = chosen.find((name) => !Object.hasOwn(sections, name))
if (unknown !== undefined) {
  console.error(`unknown section ${unknown}: choose from ${Object.keys(sections).join(', ')}`)
  process.exit(2)
}

const report: Record<string, unknown> = { node: process.version, cores: availableParallelism() }
const readings = new Map<string, number>()
let reference: Promise<MeasuredReference> | undefined
function say(line = '') {
  if (!json) console.log(line)
}
const benchOf = (section: string): ServiceBench => ({
  quick,
  json,
  say,
  reading: (name, value) => void readings.set(`${section}: ${name}`, value),
  reference() {
    reference ??= measureReference(calls)
    return reference
  },
})

const comparing = !quick && !options['no-goals']
// Before and after the sections: others may use the machine meanwhile.
if (comparing) await benchOf('goals').reference()
for (const name of chosen) {
  report[name] = await sections[name]!(benchOf(name))
  say()
}
const missed = comparing ? await compare() : []
const directory = options.profile === undefined ? undefined : resolve(options.profile)
const explained = directory === undefined ? missed : goals.filter(isChosen)
const loads = explained.flatMap(({ load }) => load ?? [])
if (loads.length > 0)
  report.profiles = await explain(loads, { directory, seconds: quick ? 0.5 : 5, say })
for (const { figure, load } of missed)
  if (load === undefined) say(`no profile explains ${figure}: see its own benchmark`)
if (json) console.log(JSON.stringify(report))
process.exit(missed.length === 0 ? 0 : 1)

function isChosen({ section }: { readonly section: string }): boolean {
  return chosen.includes(section)
}

/** Prints the table. @returns the goals that are missed */
async function compare() {
  const measured = await measuredAgain(await benchOf('goals').reference(), calls)
  const rows = goals.map((goal) =>
    judge(goal, readings.get(`${goal.section}: ${goal.reading}`), measured),
  )
  for (const line of goalLines(rows, measured)) say(line)
  report.goals = goalReport(rows)
  return rows.flatMap(({ goal, verdict }) => (verdict === 'missed' ? [goal] : []))
}
