/** An async iterator that is fed from outside. Its `return()` takes effect at once. */
export type EventQueue<T> = {
  push(event: T): void
  /** The iterator ends after what was pushed. */
  end(): void
  /** It throws after what was pushed. */
  fail(error: unknown): void
  readonly iterator: AsyncIterableIterator<T>
}

type Hooks<T> = {
  /** At the first `next()`. */
  readonly start: () => void
  /** Once, when nothing more will be taken from the source. */
  readonly stop: () => void
  /** Drops what a slow consumer need not see; called with all that waits. */
  readonly thin: (waiting: T[]) => void
}

/** Not an async generator: one does not run `return()` while it waits for an event. */
export function createEventQueue<T>({ start, stop, thin }: Hooks<T>): EventQueue<T> {
  const waiting: T[] = []
  const takers: { resolve(result: IteratorResult<T>): void; reject(error: unknown): void }[] = []
  let state: 'new' | 'open' | 'ending' | 'over' = 'new'
  let failure: { readonly error: unknown } | undefined

  let stopped = false

  const halt = () => {
    if (stopped) return
    stopped = true
    stop()
  }

  const finish = () => {
    if (state === 'over') return
    state = 'over'
    halt()
    const error = failure
    failure = undefined
    for (const [at, taker] of takers.splice(0).entries()) {
      if (error !== undefined && at === 0) taker.reject(error.error)
      else taker.resolve({ done: true, value: undefined })
    }
  }

  const close = () => {
    if (state === 'over' || state === 'ending') return
    state = 'ending'
    halt()
    // An error waits for someone to take it.
    if (waiting.length === 0 && (failure === undefined || takers.length > 0)) finish()
  }

  const iterator: AsyncIterableIterator<T> = {
    [Symbol.asyncIterator]: () => iterator,
    next() {
      if (state === 'new') {
        state = 'open'
        start()
      }
      const value = waiting.shift()
      if (value !== undefined) return Promise.resolve({ done: false, value })
      return new Promise((resolve, reject) => {
        if (state === 'over') return resolve({ done: true, value: undefined })
        takers.push({ resolve, reject })
        if (state === 'ending') finish()
      })
    },
    async return() {
      waiting.length = 0
      failure = undefined
      finish()
      return { done: true, value: undefined }
    },
  }

  return {
    push(event) {
      if (state === 'ending' || state === 'over') return
      const taker = takers.shift()
      if (taker !== undefined) return taker.resolve({ done: false, value: event })
      waiting.push(event)
      thin(waiting)
    },
    end: close,
    fail(error) {
      if (state === 'over' || state === 'ending') return
      failure = { error }
      close()
    },
    iterator,
  }
}
