import { createKeyedSemaphore } from 'polgate-lib/async/keyedSemaphore.ts'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { monotonicClock } from 'polgate-protocol/clock.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ServiceUnavailable } from 'polgate-protocol/serviceUnavailable.ts'
import type { Operator } from '../operators/operator.ts'
import type { ChainReads } from './chainReads.ts'
import { type CallOperator, roundRobin } from './pickOperator.ts'
import { tooMany } from './taskAdmissionLimit.ts'
import type { TaskDeps } from './taskDeps.ts'

/** The context of one simulation; everything in it ends at the timeout. */
export type Simulation = {
  readonly deps: TaskDeps
  readonly ask: CallOperator
  /** An `CallOperator` for a subset of the operators. */
  readonly callAnyOf: (among: (operator: Operator) => boolean) => CallOperator
  readonly signal: AbortSignal
}

export type Simulations = {
  /**
   * @throws ServiceError -32005 when too many wait, ServiceUnavailable on shutdown; errors of
   * `work`
   */
  run<T>(keyId: string, work: (simulation: Simulation) => Promise<T>): Promise<T>
}

export type SimulationLimits = {
  /** From request to response, milliseconds: the default timeout of a task (section 8). */
  readonly timeoutMs: number
  readonly parallel: number
  readonly parallelPerKey: number
  readonly waiting: number
}

const simulationLimits: SimulationLimits = {
  timeoutMs: 30_000,
  parallel: 128,
  parallelPerKey: 64,
  waiting: 1_000,
}

/** Reported as the `error` of a result, like every failure of a simulation (section 7.3). */
const timedOut = (ms: number) =>
  new ServiceError(`Simulation timed out after ${ms / 1000} s`, {
    code: errorCode.policyEvaluation,
    clause: 'section 8',
    hint: 'Check the data sources of the oracles for a slow one.',
    retryable: true,
  })

/** Bounds simulations in time and number, and provides each with operators and the chain. */
export function createSimulations(
  deps: TaskDeps,
  parts: { readonly reads: ChainReads; readonly closing: AbortSignal },
  limits: SimulationLimits = simulationLimits,
): Simulations {
  const { timeoutMs, parallel, parallelPerKey, waiting } = limits
  const slots = createKeyedSemaphore({ total: parallel, perKey: parallelPerKey, waiting })
  const turns = roundRobin({ operators: deps.operators, clock: monotonicClock })

  return {
    async run(keyId, work) {
      if (parts.closing.aborted) throw new ServiceUnavailable('The gateway is shutting down')
      const limit = linkedSignal()
      const { signal } = limit
      const close = () => limit.abort(new ServiceUnavailable('The gateway is shutting down'))
      parts.closing.addEventListener('abort', close, { once: true })
      limit.abortAfter(timeoutMs, () => timedOut(timeoutMs))
      let leave = () => {}
      try {
        leave = await slots.take(keyId, signal).catch((error: unknown) => {
          throw error instanceof ServiceUnavailable ? error : tooMany('calls to operators')
        })
        const bound = { ...deps, chain: parts.reads.within(signal) }
        return await work({
          deps: bound,
          ask: turns({ signal }),
          callAnyOf: (among) => turns({ signal, among }),
          signal,
        })
      } finally {
        leave()
        limit.release()
        parts.closing.removeEventListener('abort', close)
      }
    },
  }
}
