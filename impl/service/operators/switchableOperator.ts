import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Operator } from './operator.ts'
import { operatorUnreachable } from './operatorErrors.ts'

export type SwitchableOperator = Operator & {
  readonly running: boolean
  /** Makes it unreachable; calls in flight fail, like those of a killed process. */
  stop(): void
  start(): void
}

/** An operator in this process that can be stopped and started like a separate process. */
export function switchableOperator(inner: Operator): SwitchableOperator {
  let power: AbortController | undefined = new AbortController()

  const guarded =
    <Request, Answer>(call: (request: Request, signal: AbortSignal) => Promise<Answer>) =>
    async (request: Request, signal: AbortSignal): Promise<Answer> => {
      const on = power
      if (on === undefined) throw operatorUnreachable('connection refused')
      const either = linkedSignal(signal, on.signal)
      try {
        return await call(request, either.signal)
      } catch (error) {
        if (on.signal.aborted) throw operatorUnreachable('connection lost', error)
        throw error
      } finally {
        either.release()
      }
    }

  return {
    address: inner.address,
    id: inner.id,
    get running() {
      return power !== undefined
    },
    stop() {
      power?.abort()
      power = undefined
    },
    start() {
      power ??= new AbortController()
    },
    collectData: guarded(inner.collectData),
    evaluate: guarded(inner.evaluate),
    beginOpening: guarded(inner.beginOpening),
    sign: guarded(inner.sign),
    checkSecrets: guarded(inner.checkSecrets),
  }
}
