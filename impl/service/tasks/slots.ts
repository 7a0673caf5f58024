import { createFairQueue } from '../scheduling/fairQueue.ts'
import type { LoopPace } from '../scheduling/loopPace.ts'

export type Slots = {
  /**
   * Waits for a slot: round-robin between keys, except keys that hold their maximum. The returned
   * function releases it.
   *
   * @throws the signal's reason if it aborts first; SlotsFull when too many wait
   */
  take(key: string, signal: AbortSignal): Promise<() => void>
  readonly taken: number
  readonly waiting: number
}

export type SlotLimits = {
  readonly total: number
  readonly perKey?: number
  /**
   * Maximum number of waiters; beyond it, those of the key with the most are rejected. Default:
   * unlimited.
   */
  readonly waiting?: number
  /** Beyond this many slots, the next is granted at the pace of the event loop. */
  readonly paced?: { readonly past: number; readonly pace: LoopPace }
}

/** Too many wait for a slot. */
export class SlotsFull extends Error {
  override readonly name = 'SlotsFull'
}

type Waiter = {
  readonly key: string
  readonly start: (release: () => void) => void
  readonly refuse: () => void
}

/** Bounds concurrency in total and per key, so that no key takes every slot. */
export function createSlots(limits: SlotLimits): Slots {
  const { total, perKey = total, waiting: maxWaiting = Number.POSITIVE_INFINITY, paced } = limits
  const held = new Map<string, number>()
  const waiting = createFairQueue<Waiter>({
    perOwner: maxWaiting,
    inAll: maxWaiting,
    onEvict: ({ refuse }) => refuse(),
  })
  let taken = 0
  /** Whether the next slot is granted in a later turn of the event loop. */
  let pacing = false

  const isFree = (key: string) => taken < total && (held.get(key) ?? 0) < perKey
  const isPaced = () => paced !== undefined && taken >= paced.past

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
      serve()
    }
  }

  function serve(): void {
    while (taken < total && !isPaced() && serveOne());
    if (pacing || paced === undefined || waiting.size === 0 || taken >= total) return
    if (!isPaced()) return
    pacing = true
    paced.pace.next(() => {
      pacing = false
      if (serveOne()) serve()
    })
  }

  function serveOne(): boolean {
    const next = waiting.shift(({ key }) => isFree(key))
    next?.start(occupy(next.key))
    return next !== undefined
  }

  return {
    async take(key, signal) {
      signal.throwIfAborted()
      if (isFree(key) && !isPaced()) return occupy(key)
      return await new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.remove(key, waiter)
          reject(signal.reason)
        }
        const waiter: Waiter = {
          key,
          start: (release) => {
            signal.removeEventListener('abort', giveUp)
            resolve(release)
          },
          refuse: () => {
            signal.removeEventListener('abort', giveUp)
            reject(new SlotsFull())
          },
        }
        if (!waiting.push(key, waiter)) return waiter.refuse()
        signal.addEventListener('abort', giveUp, { once: true })
        serve()
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
