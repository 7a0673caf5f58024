import { ClientError } from './clientError.ts'

/** The caller's signal ended a call; `cause` is the reason of the signal. The name is that of aborts everywhere. */
export class AbortError extends ClientError {
  constructor(signal: AbortSignal) {
    super('The call was aborted.', { name: 'AbortError', code: 'ABORTED', cause: signal.reason })
  }
}

/** @throws AbortError */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortError(signal)
}
