import { OracleError } from 'polgate-service/oracles/oracleError.ts'
import type { OracleResult } from 'polgate-service/oracles/oracleHost.ts'
import type { Mutant } from './mutant.ts'
import { evaluator, oracleRun } from './parts.ts'
import type { Json } from './wrappedListeners.ts'

const stats: OracleResult['stats'] = {
  ms: 0,
  httpCalls: 0,
  stages: { waitMs: 0, instantiateMs: 0, guestMs: 0, hostMs: 0 },
}

const resultOf = (output: string): OracleResult => ({
  output,
  json: JSON.parse(output),
  stats,
})

const failsWith = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof OracleError && codes.includes(error.code)

/** Whether any member of an oracle's output is an error. */
const tellsError = (output: string): boolean =>
  Object.values(JSON.parse(output) as Json).some((pack: Json) => typeof pack?.error === 'string')

/** Faults in runs of oracles and the handling of their outputs (section 1). */
export const oracleRunMutants: readonly Mutant[] = [
  {
    id: 'oracle.one-component-for-all',
    fault: 'runs the first component that it fetched for every PolicyData',
    clauses: ['1-10'],
    parts: (markFired) => {
      let first: string | undefined
      return oracleRun((run, pass) => {
        first ??= run.cid
        if (run.cid !== first) markFired()
        return pass({ ...run, cid: first })
      })
    },
  },
  {
    id: 'oracle.output-forced',
    fault: 'treats output that is not a JSON object as an empty one',
    clauses: ['1-11', '2.6-02'],
    parts: (markFired) =>
      oracleRun((run, pass) =>
        pass(run).catch((error: unknown) => {
          if (!failsWith(error, 'not-json')) throw error
          markFired()
          return resultOf('{}')
        }),
      ),
  },
  {
    id: 'oracle.failure-is-empty-output',
    fault: 'treats a run that traps, does not end or returns an error as an empty output',
    clauses: ['7.3-09', '4.6-07'],
    parts: (markFired) =>
      oracleRun((run, pass) =>
        pass(run).catch((error: unknown) => {
          if (!failsWith(error, 'trap', 'wall-clock', 'memory', 'result')) throw error
          markFired()
          return resultOf('{}')
        }),
      ),
  },
  {
    id: 'oracle.input-still-hex',
    fault: 'passes the oracle wasm_args as hex, not decoded',
    clauses: ['1-12', '2.3-03', '4.6-05', '4.7-04'],
    parts: (markFired) =>
      oracleRun((run, pass) => {
        markFired()
        return pass({ ...run, input: `0x${Buffer.from(run.input).toString('hex')}` })
      }),
  },
  {
    id: 'oracle.output-kept-by-component',
    fault: 'caches the output of a component, ignoring later inputs',
    clauses: ['1-12', '2.3-03', '4.6-05'],
    parts: (markFired) => {
      const kept = new Map<string, { input: string; result: OracleResult }>()
      return oracleRun(async (run, pass) => {
        const known = kept.get(run.cid)
        if (known === undefined) {
          const result = await pass(run)
          kept.set(run.cid, { input: run.input, result })
          return result
        }
        if (known.input !== run.input) markFired()
        return known.result
      })
    },
  },
  {
    id: 'oracle.first-output-alone',
    fault: 'passes the policy only the output of the first oracle',
    clauses: ['1-03', '1-24', '4.8-13'],
    parts: (markFired) =>
      evaluator((evaluation, pass) => {
        if (evaluation.data.length > 1) markFired()
        return pass({ ...evaluation, data: evaluation.data.slice(0, 1) })
      }),
  },
  {
    id: 'oracle.pack-id-dropped',
    fault: 'merges outputs of oracles without their pack ids',
    clauses: ['1-24', '2.6-09'],
    parts: (markFired) =>
      evaluator((evaluation, pass) => {
        const data = evaluation.data.map((output) => {
          const packs: readonly Json[] = Object.values(JSON.parse(output) as Json)
          if (packs.length > 0) markFired()
          return JSON.stringify(Object.assign({}, ...packs))
        })
        return pass({ ...evaluation, data })
      }),
  },
  {
    id: 'oracle.empty-pack-id-dropped',
    fault: 'drops output under an empty pack id',
    clauses: ['1-24'],
    parts: (markFired) =>
      evaluator((evaluation, pass) => {
        const data = evaluation.data.map((output) => {
          const { '': dropped, ...packs } = JSON.parse(output) as Json
          if (dropped === undefined) return output
          markFired()
          return JSON.stringify(packs)
        })
        return pass({ ...evaluation, data })
      }),
  },
  {
    id: 'oracle.error-allows',
    fault: 'allows if an oracle returns an error: it fails open',
    clauses: ['1-27'],
    parts: (markFired) =>
      evaluator(async (evaluation, pass) => {
        const outcome = await pass(evaluation)
        if (outcome.result !== 'false' || !evaluation.data.some(tellsError)) return outcome
        markFired()
        return { ...outcome, result: 'true' }
      }),
  },
  {
    id: 'oracle.error-dropped',
    fault: 'omits errors of oracles from data.wasm',
    clauses: ['1-27'],
    parts: (markFired) =>
      evaluator((evaluation, pass) => {
        const data = evaluation.data.map((output) => {
          if (!tellsError(output)) return output
          markFired()
          return '{}'
        })
        return pass({ ...evaluation, data })
      }),
  },
  {
    id: 'oracle.clock-stands-still',
    fault: 'runs every oracle at the time of the first run',
    clauses: ['1-63'],
    parts: (markFired) => alwaysFirst(/"(?:clock":"[0-9a-f]+"|read_at":\d+)/g, markFired),
  },
  {
    id: 'oracle.random-repeats',
    fault: 'passes every run the random numbers of the first',
    clauses: ['1-64'],
    parts: (markFired) => alwaysFirst(/"random":"[0-9a-f]+"/g, markFired),
  },
]

/** Repeats the first output of a kind in every later one. */
function alwaysFirst(kind: RegExp, markFired: () => void) {
  const seen = new Map<string, string>()
  return oracleRun(async (run, pass) => {
    const { output } = await pass(run)
    let at = 0
    const changed = output.replace(kind, (own) => {
      const place = `${own.split('":')[0]} ${at++}`
      const first = seen.get(place) ?? own
      seen.set(place, first)
      if (first !== own) markFired()
      return first
    })
    return resultOf(changed)
  })
}
