import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Operator } from './operator.ts'
import { operatorUnreachable } from './operatorErrors.ts'

export type SwitchableOperator = Operator & {
  readonly running: boolean
  /** From now on unreachable; what is under way is cut off, as if the process were killed. */
  stop(): void
  start(): void
}

/** An operator in this process that can be killed and revived like one of its own process. */
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
    sign: guarded(inner.sign),
    checkSecrets: guarded(inner.checkSecrets),
  }
}
