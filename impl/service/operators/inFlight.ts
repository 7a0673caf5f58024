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

/**
 * Lets callers use one value at the same time, made by the first of them and ended when the last is
 * done with it, however it is done: what was opened for one moment is not left lying about.
 *
 * @param end called once for each value that was made
 */
export function createInUse<Value>(
  end: (value: Value) => void,
): <Result>(
  key: string,
  make: () => Promise<Value>,
  use: (value: Value) => Promise<Result>,
) => Promise<Result> {
  const open = new Map<string, { value: Promise<Value>; users: number }>()
  return async (key, make, use) => {
    const entry = open.get(key) ?? { value: make(), users: 0 }
    open.set(key, entry)
    entry.users += 1
    try {
      return await use(await entry.value)
    } finally {
      entry.users -= 1
      if (entry.users === 0) {
        open.delete(key)
        await entry.value.then(end, () => undefined)
      }
    }
  }
}
