/**
 * Shares one piece of work between concurrent callers with the same key. Results are not cached:
 * the operators of one process make the same request within milliseconds of each other.
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
 * Shares one value between concurrent callers: created by the first, disposed after the last,
 * whether they succeed or fail.
 *
 * @param end called once for each created value
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
