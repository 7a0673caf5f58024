import { createFairQueue } from 'polgate-lib/async/fairQueue.ts'
import type { EventLoopLoad } from './eventLoopLoad.ts'

export type StartScheduler = {
  /**
   * Resolves when the owner may start another piece of work.
   *
   * @returns false when too many are waiting
   */
  turn(owner: string): Promise<boolean>
}

export type PacedStartsOptions = {
  readonly pace: EventLoopLoad
  readonly perOwner: number
  readonly inAll: number
}

/**
 * Starts work piece by piece as the event loop permits, with owners taking turns, so that a burst
 * of work does not delay what arrives after it.
 */
export function createStartScheduler({
  pace,
  perOwner,
  inAll,
}: PacedStartsOptions): StartScheduler {
  const waiting = createFairQueue<(mayBegin: boolean) => void>({
    perOwner,
    inAll,
    onEvict: (end) => end(false),
  })
  let asked = false

  function serve(): void {
    if (asked || waiting.size === 0) return
    asked = true
    pace.next(() => {
      asked = false
      waiting.shift()?.(true)
      serve()
    })
  }

  return {
    turn: (owner) =>
      new Promise((resolve) => {
        if (!waiting.push(owner, resolve)) return resolve(false)
        serve()
      }),
  }
}
