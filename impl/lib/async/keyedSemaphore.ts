import { AppError } from '../errors/appError.ts'
import { createFairQueue } from './fairQueue.ts'
import { createKeyedCounter } from './keyedCounter.ts'

export type KeyedSemaphore = {
  /**
   * Waits for a slot: round-robin between keys, except keys that hold their maximum. The returned
   * function releases it.
   *
   * @throws the signal's reason when it aborts first; SemaphoreFull when too many wait
   */
  take(key: string, signal: AbortSignal): Promise<() => void>
  readonly taken: number
  readonly waiting: number
}

export type KeyedSemaphoreLimits = {
  readonly total: number
  readonly perKey?: number
  /**
   * Maximum number of waiters; beyond it, those of the key with the most are rejected. Default:
   * unlimited.
   */
  readonly waiting?: number
  /** Past so many places the next is given at the pace of the event loop. */
  readonly paced?: {
    readonly past: number
    readonly pace: { next(begin: () => void): void }
  }
}

/** More wait for a place than may. */
export class SemaphoreFull extends AppError {}

type Waiter = {
  readonly key: string
  readonly start: (release: () => void) => void
  readonly refuse: () => void
}

/** Bounds how much is done at once, in all and for one key, so that nobody takes every place. */
export function createKeyedSemaphore(limits: KeyedSemaphoreLimits): KeyedSemaphore {
  const { total, perKey = total, waiting: maxWaiting = Number.POSITIVE_INFINITY, paced } = limits
  const held = createKeyedCounter()
  const waiting = createFairQueue<Waiter>({
    perOwner: maxWaiting,
    inAll: maxWaiting,
    onEvict: ({ refuse }) => refuse(),
  })
  let taken = 0
  /** Whether the next slot is granted in a later turn of the event loop. */
  let pacing = false

  const isFree = (key: string) => taken < total && held.get(key) < perKey
  const isPaced = () => paced !== undefined && taken >= paced.past

  function occupy(key: string): () => void {
    taken += 1
    const remove = held.add(key)
    let mine = true
    return () => {
      if (!mine) return
      mine = false
      taken -= 1
      remove()
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
            reject(new SemaphoreFull('too many wait'))
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
