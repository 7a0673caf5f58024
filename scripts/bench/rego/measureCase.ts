import { Session } from 'node:inspector'
import { builtins } from 'polgate-rego/builtins/registry.ts'
import { createEngine } from 'polgate-rego/engine.ts'
import { fromJson, stringify } from 'polgate-rego/values/json.ts'
import type { Value } from 'polgate-rego/values/value.ts'
import type { Case } from './cases.ts'
import { profileShares } from './profileShares.ts'

export type MeasureOptions = {
  /** Time of the measurement, milliseconds. */
  readonly budget: number
  /** Without warm-up. */
  readonly quick: boolean
}

/** Nanoseconds of one evaluation. */
export type Times = { readonly p50: number; readonly p99: number; readonly value: string }

/**
 * Warm-up: compiles the code of the engine; native engines need none. The cold path runs through
 * much more code than an evaluation, each part only a few times, so that elapsed time alone does
 * not show that it is warm.
 */
const warmUp = { ms: 1_500, engines: 3_000, atMostMs: 12_000 }
const quickWarmUp = { ms: 10, engines: 1, atMostMs: 10 }

/** Least time of a sample: reading the clock takes 80 ns, a fifth of the shortest evaluation. */
const sampleNs = 10_000

/** How many evaluations make one sample. */
function batchOf(evaluate: () => unknown): number {
  let batch = 1
  for (; batch < 64; batch *= 2) {
    const begin = process.hrtime.bigint()
    for (let i = 0; i < batch; i++) evaluate()
    if (Number(process.hrtime.bigint() - begin) >= sampleNs) break
  }
  return batch
}

/** Evaluates until the time is used up; returns the times in order, each the mean of a sample. */
function timed(evaluate: () => unknown, runs: number, { budget, quick }: MeasureOptions): number[] {
  const { ms, atMostMs } = quick ? quickWarmUp : warmUp
  const start = performance.now()
  for (let done = 0; performance.now() < start + ms || done < runs; done++) {
    if (performance.now() >= start + atMostMs) break
    evaluate()
  }
  const times: number[] = []
  const batch = batchOf(evaluate)
  const end = performance.now() + budget
  do {
    const begin = process.hrtime.bigint()
    for (let i = 0; i < batch; i++) evaluate()
    times.push(Number(process.hrtime.bigint() - begin) / batch)
  } while (performance.now() < end)
  return times.sort((a, b) => a - b)
}

/** One evaluation of a case: in mode `cold` with parsing and compilation. */
function evaluationOf({ mode, policy, rule, data, input }: Case): () => Value | undefined {
  const prepare = () =>
    createEngine({
      modules: [{ name: 'policy.rego', source: policy }],
      ...(data === undefined ? {} : { data }),
      builtins,
      strict: false,
    }).prepare(rule)
  // Peers get it converted too.
  const given = input === undefined ? {} : { input: fromJson(input) }
  const prepared = mode === 'cold' ? undefined : prepare()
  return () => (prepared ?? prepare()).evaluate(given)[0]?.expressions[0]?.value
}

export function measureCase(example: Case, options: MeasureOptions): Times {
  const evaluate = evaluationOf(example)
  const runs = example.mode === 'cold' && !options.quick ? warmUp.engines : 1
  const times = timed(evaluate, runs, options)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]!
  const value = evaluate()
  return {
    p50: at(0.5),
    p99: at(0.99),
    value: value === undefined ? 'undefined' : stringify(value),
  }
}

/** Where the evaluations of a case spend their time: the functions with the most, and their shares. */
export function hotSpots(example: Case, milliseconds: number): readonly string[] {
  const evaluate = evaluationOf(example)
  const session = new Session()
  session.connect()
  try {
    session.post('Profiler.enable')
    session.post('Profiler.setSamplingInterval', { interval: 100 })
    session.post('Profiler.start')
    for (const end = performance.now() + milliseconds; performance.now() < end; ) evaluate()
    let shares: readonly string[] = []
    session.post('Profiler.stop', (error, { profile }) => {
      if (error !== null) throw error
      shares = profileShares(profile)
    })
    return shares
  } finally {
    session.disconnect()
  }
}
