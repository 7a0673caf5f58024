import { ChainReadError } from 'polgate-chain/errors.ts'

/** Runs a read now, or when its turn comes. @throws ChainReadError when too many wait */
export type BoundedReads = <T>(ask: () => Promise<T>) => Promise<T>

/**
 * At most `parallel` reads at once, as a node may accept and never answer. With as many that wait,
 * nobody waits longer than twice the time that the client gives a read.
 */
export const boundedReads = (parallel = 128): BoundedReads => {
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
      // The place goes to the next, or is free.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
