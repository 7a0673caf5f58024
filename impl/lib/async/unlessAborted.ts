/** The value, or the signal's reason as soon as it aborts; the work itself goes on. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  // Work that has begun may fail after its only listener was told of the abort.
  work.catch(() => undefined)
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
