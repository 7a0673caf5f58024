/** A semaphore: limits concurrent work; the rest waits in order. */
export function createSlots(count: number): {
  /** @throws the signal's reason when it aborts before the work starts */
  with<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value>
} {
  const waiting: (() => void)[] = []
  let free = count

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(signal.reason)
      }
      waiting.push(begin)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    async with(signal, work) {
      await take(signal)
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
