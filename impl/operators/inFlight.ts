/**
 * Lets callers who want the same at the same time share one piece of work. Nothing is kept once it
 * has ended: the operators of one process ask for the same within milliseconds of each other.
 */
export function createInFlight<Value>(): (
  key: string,
  work: () => Promise<Value>,
) => Promise<Value> {
  const running = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = running.get(key)
    if (known !== undefined) return known
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

/** The value, or the signal's reason as soon as it aborts; the work itself goes on. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted()
  let stop: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
