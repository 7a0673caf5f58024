export type Slots = {
  /**
   * A place among those who work, as soon as there is one; first come, first served, but past those
   * whose key has all the places it may have. The function that is returned gives it back.
   *
   * @throws the signal's reason when it aborts first
   */
  take(key: string, signal: AbortSignal): Promise<() => void>
  readonly taken: number
  readonly waiting: number
}

type Waiter = { readonly key: string; readonly start: (release: () => void) => void }

/** Bounds how much is done at once, in all and for one key, so that nobody takes every place. */
export function createSlots(limits: { readonly total: number; readonly perKey?: number }): Slots {
  const { total, perKey = total } = limits
  const held = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let taken = 0

  const isFree = (key: string) => taken < total && (held.get(key) ?? 0) < perKey

  function occupy(key: string): () => void {
    taken += 1
    held.set(key, (held.get(key) ?? 0) + 1)
    let mine = true
    return () => {
      if (!mine) return
      mine = false
      taken -= 1
      const left = held.get(key)! - 1
      if (left === 0) held.delete(key)
      else held.set(key, left)
      serveNext()
    }
  }

  function serveNext(): void {
    for (const waiter of waiting) {
      if (taken >= total) return
      if (!isFree(waiter.key)) continue
      waiting.delete(waiter)
      waiter.start(occupy(waiter.key))
    }
  }

  return {
    async take(key, signal) {
      signal.throwIfAborted()
      if (isFree(key)) return occupy(key)
      return await new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(waiter)
          reject(signal.reason)
        }
        const waiter: Waiter = {
          key,
          start: (release) => {
            signal.removeEventListener('abort', giveUp)
            resolve(release)
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiting.add(waiter)
      })
    },
    get taken() {
      return taken
    },
    get waiting() {
      return waiting.size
    },
  }
}
