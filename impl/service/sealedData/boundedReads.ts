import { ChainReadError } from 'polgate-chain/errors.ts'

/** Runs a read as soon as there is a slot. @throws ChainReadError if too many wait */
export type BoundedReads = <T>(ask: () => Promise<T>) => Promise<T>

/**
 * At most `parallel` concurrent reads, because a node may accept requests and never answer. With a
 * queue of the same size, no read waits longer than twice the client's timeout.
 */
export function boundedReads(parallel = 128): BoundedReads {
  let running = 0
  const waiting: (() => void)[] = []
  const turn = (): Promise<void> | undefined => {
    if (running < parallel) {
      running += 1
      return undefined
    }
    if (waiting.length >= parallel) {
      throw new ChainReadError('unreachable', 'too many reads are waiting for the node', {
        hint: 'Check that the node answers.',
      })
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  return async (ask) => {
    await turn()
    try {
      return await ask()
    } finally {
      // Passes the slot to the next read, or frees it.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
