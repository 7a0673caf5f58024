/** Says when more work may begin. */
export type LoopPace = {
  /** Calls back in a later turn of the event loop: once it turns quickly, or after a while anyway. */
  next(go: () => void): void
}

export type LoopPaceOptions = {
  readonly now: () => number
  readonly nextTurn: (go: () => void) => void
  /** A turn that takes longer, milliseconds, means that there is more work than time. */
  readonly quickMs: number
  /** How long one waits at most, milliseconds. */
  readonly mostMs: number
}

export const createLoopPace = ({ now, nextTurn, quickMs, mostMs }: LoopPaceOptions): LoopPace => ({
  next(go) {
    const begin = now()
    let last = begin
    const turned = () => {
      const at = now()
      if (at - last <= quickMs || at - begin >= mostMs) return go()
      last = at
      nextTurn(turned)
    }
    // The first turn ends the one in which this was asked.
    nextTurn(() => {
      last = now()
      nextTurn(turned)
    })
  },
})

/** Of the main thread. */
export const mainLoopPace: LoopPace = createLoopPace({
  now: () => performance.now(),
  nextTurn: (go) => void setImmediate(go),
  quickMs: 10,
  mostMs: 100,
})
