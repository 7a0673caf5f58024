/**
 * `npm run bench:rego`: prepared evaluations and the cold path of the Rego engine, compared with
 * regorus 0.9 and OPA v1.2.0 where they are installed, as ratios of time. `--only TEXT` selects
 * cases, `--ms N` is the time of each engine per case, `--quick` runs without warm-up.
 */
import { parseArgs } from 'node:util'
import { builtins } from 'polgate-rego/builtins/registry.ts'
import { createEngine } from 'polgate-rego/engine.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { benchCases, type Case } from './rego/cases.ts'
import { fixtureCases } from './rego/fixtureCases.ts'
import { opaPeer, type Peer, regorusPeer } from './rego/peers.ts'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    ms: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})
const budget = Number(flags.ms ?? (flags.quick ? 10 : 600))

type Times = { readonly p50: number; readonly p99: number; readonly value: string }

/**
 * Warm-up: compiles the code of the engine; native engines need none. The cold path runs through
 * much more code than an evaluation, each part only a few times, so that elapsed time alone does
 * not show that it is warm.
 */
const warmUp = flags.quick
  ? { ms: 10, engines: 1, atMostMs: 10 }
  : { ms: 1_500, engines: 3_000, atMostMs: 12_000 }

/** Evaluates until the time is used up; nanoseconds. */
function timed(evaluate: () => unknown, runs = 1): Times {
  const until = (end: number, each: () => void) => {
    do each()
    while (performance.now() < end)
  }
  const start = performance.now()
  let done = 0
  until(start + warmUp.ms, () => {
    evaluate()
    done++
  })
  while (done < runs && performance.now() < start + warmUp.atMostMs) {
    evaluate()
    done++
  }
  const times: number[] = []
  until(performance.now() + budget, () => {
    const start = process.hrtime.bigint()
    evaluate()
    times.push(Number(process.hrtime.bigint() - start))
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]!
  return { p50: at(0.5), p99: at(0.99), value: String(evaluate()) }
}

function ours(example: Case): Times {
  const { policy, rule, data, input } = example
  const engineOptions = {
    modules: [{ name: 'policy.rego', source: policy }],
    ...(data === undefined ? {} : { data }),
    builtins,
    strict: false,
  }
  const evaluateOptions = input === undefined ? {} : { input }
  const first = (
    rows: readonly { readonly expressions: readonly { readonly value: unknown }[] }[],
  ) => rows[0]?.expressions[0]?.value
  const text = (value: unknown) => (value === undefined ? 'undefined' : stringify(value as never))
  if (example.mode === 'cold') {
    return timed(
      () => text(first(createEngine(engineOptions).prepare(rule).evaluate(evaluateOptions))),
      warmUp.engines,
    )
  }
  const prepared = createEngine(engineOptions).prepare(rule)
  const times = timed(() => first(prepared.evaluate(evaluateOptions)))
  return { ...times, value: text(first(prepared.evaluate(evaluateOptions))) }
}

const micro = (ns: number) => (ns / 1000).toFixed(ns < 10_000 ? 2 : ns < 1_000_000 ? 1 : 0)

const found: Peer[] = []
for (const peer of [regorusPeer(), opaPeer()]) {
  if (typeof peer === 'string') console.log(`not compared with ${peer}`)
  else found.push(peer)
}

const columns = ['case', 'ours p50', 'p99', ...found.map(({ name }) => name), 'ratio', 'goal', '']
const widths = [34, 10, 10, ...found.map(() => 14), 8, 6, 8]
const line = (cells: readonly string[]) =>
  console.log(
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!)))
      .join(''),
  )

console.log('times in microseconds; ratio = p50 of this engine / the faster peer')
line(columns)
let met = 0
let compared = 0
for (const example of [...fixtureCases(), ...benchCases()]) {
  if (flags.only !== undefined && !example.name.includes(flags.only)) continue
  const own = ours(example)
  const others = found.map((peer) => peer.measure(example, budget))
  const best = Math.min(...others.filter((figure) => typeof figure === 'number'))
  const ratio = own.p50 / best
  const known = Number.isFinite(best)
  if (known) compared += 1
  if (known && ratio <= example.goal) met += 1
  line([
    example.name,
    micro(own.p50),
    micro(own.p99),
    ...others.map((figure) => (typeof figure === 'number' ? micro(figure) : '-')),
    known ? ratio.toFixed(3) : '-',
    String(example.goal),
    known ? (ratio <= example.goal ? 'met' : 'missed') : 'alone',
  ])
  for (const [at, figure] of others.entries()) {
    if (typeof figure === 'string') console.log(`    ${found[at]!.name}: ${figure}`)
  }
}
console.log(`${met} of ${compared} goals met`)
