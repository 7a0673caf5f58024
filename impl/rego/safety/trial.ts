import { readFileSync } from 'node:fs'
import { builtins } from '../builtins/registry.ts'
import { createEngine, type ModuleSource } from '../engine.ts'
import { LimitError, RegoError } from '../errors.ts'
import type { Limits } from '../evaluate/run.ts'
import { stringify } from '../values/json.ts'

/** A policy and a query to evaluate in a separate thread. */
export type Trial = {
  readonly modules: readonly ModuleSource[]
  readonly query: string
  readonly inputJson?: string
  readonly dataJson?: string
  readonly strict?: boolean
  readonly limits: Limits
}

/** Result of a trial. `broke` must never occur: an exception other than a Rego error. */
export type Outcome =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'limit'; readonly message: string }
  | { readonly kind: 'broke'; readonly message: string }

/** CPU time of the thread in milliseconds, and whether the result is from the evaluation. */
export type Report = Outcome & { readonly ms: number; readonly evaluated: boolean }

/** CPU time of this process in milliseconds, which does not depend on the load of the machine. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * CPU time of this thread in milliseconds, without that of garbage collector threads, which depends
 * on earlier trials. Falls back to that of the process.
 */
function threadTime(): number {
  try {
    const [ns] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(ns) / 1e6
  } catch {
    return processorTime()
  }
}

/** Compiles and evaluates with a deadline in CPU time. */
export function run(trial: Trial): Report {
  const start = threadTime()
  let evaluated = false
  const outcome = outcomeOf(() => {
    const engine = createEngine({
      builtins,
      modules: trial.modules,
      clock: processorTime,
      limits: trial.limits,
      strict: trial.strict ?? true,
      nowNs: () => 1_700_000_000_000_000_000n,
      seed: () => new Uint8Array(16),
      ...(trial.dataJson === undefined ? {} : { dataJson: trial.dataJson }),
    })
    const prepared = engine.prepare(trial.query)
    evaluated = true
    const { inputJson } = trial
    const rows = prepared.evaluate(inputJson === undefined ? {} : { inputJson })
    return rows
      .map(({ bindings, expressions }) => {
        const values = expressions.map(({ value }) => stringify(value))
        return [...values, ...[...bindings].map(([k, v]) => `${k}=${stringify(v)}`).sort()].join()
      })
      .join('\n')
  })
  return { ...outcome, ms: threadTime() - start, evaluated }
}

function outcomeOf(evaluate: () => string): Outcome {
  try {
    return { kind: 'value', text: evaluate() }
  } catch (error) {
    if (error instanceof LimitError) return { kind: 'limit', message: error.message }
    if (!(error instanceof RegoError)) return { kind: 'broke', message: trace(error) }
    // A Rego error that reports a fault of the engine.
    const fault = error.code === 'eval_internal_error' && error.cause !== undefined
    if (fault) return { kind: 'broke', message: trace(error.cause) }
    return { kind: 'error', code: error.code, message: error.message }
  }
}

const trace = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
