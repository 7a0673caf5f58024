import type { KeyMember } from '../threshold/keyHolder.ts'
import { operatorUnreachable } from './operatorErrors.ts'

/** A key holder that does not answer while its operator is stopped, like a killed process. */
export function switchedKeyHolder(
  holder: KeyMember,
  operator: { readonly running: boolean },
): KeyMember {
  const check = () => {
    if (!operator.running) throw operatorUnreachable('connection refused')
  }
  const guarded =
    <Request, Answer>(call: (request: Request, signal: AbortSignal) => Promise<Answer>) =>
    async (request: Request, signal: AbortSignal): Promise<Answer> => {
      check()
      const answer = await call(request, signal)
      check()
      return answer
    }
  return {
    address: holder.address,
    status: (signal) => guarded((_: null, on) => holder.status(on))(null, signal),
    generate: guarded(holder.generate),
    complete: guarded(holder.complete),
    open: guarded(holder.open),
    reshare: guarded(holder.reshare),
    settle: guarded(holder.settle),
    recover: guarded(holder.recover),
  }
}
