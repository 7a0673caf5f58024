import { abortReason } from 'polgate-lib/async/abortReason.ts'
export type Attempt<Value> = (signal: AbortSignal) => Promise<Value>

/**
 * Returns the first value of any attempt. Attempts start in order: the next one when all before it
 * have failed, or after the head start. The others are aborted once one has a value.
 *
 * @returns undefined when all have failed
 * @throws the signal's reason
 */
export async function hedge<Value>(
  attempts: readonly Attempt<Value>[],
  options: { readonly headStartMs: number; readonly signal: AbortSignal },
): Promise<{ readonly value: Value } | undefined> {
  const { headStartMs, signal } = options
  signal.throwIfAborted()
  const controller = new AbortController()
  return await new Promise((resolve, reject) => {
    let begun = 0
    let ended = 0
    let timer: NodeJS.Timeout | undefined

    const finish = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
      controller.abort(abortReason)
    }
    const onAbort = () => finish(() => reject(signal.reason))
    const failed = () => {
      ended += 1
      if (controller.signal.aborted) return
      if (ended === attempts.length) finish(() => resolve(undefined))
      else if (ended === begun) beginNext()
    }
    const beginNext = () => {
      clearTimeout(timer)
      const attempt = attempts[begun]
      if (attempt === undefined) return
      begun += 1
      timer = setTimeout(beginNext, headStartMs)
      attempt(controller.signal).then((value) => finish(() => resolve({ value })), failed)
    }

    signal.addEventListener('abort', onAbort, { once: true })
    if (attempts.length === 0) finish(() => resolve(undefined))
    else beginNext()
  })
}
