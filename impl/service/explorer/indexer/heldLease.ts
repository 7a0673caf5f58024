import type { LeaseQueries } from '../../store/leases.ts'

/** The exclusive right to write one chain, renewed until it is released. */
export type HeldLease = {
  /**
   * Whether this process holds the lease with at least three quarters of its time left. Takes a
   * free one.
   */
  take(): Promise<boolean>
  /** Releases the lease permanently. */
  release(): Promise<void>
}

export function createHeldLease(options: {
  readonly leases: Pick<LeaseQueries, 'take' | 'release'>
  readonly name: string
  readonly holder: string
  /** Duration of the lease without renewal, milliseconds. */
  readonly ms: number
}): HeldLease {
  const { leases, name, holder, ms } = options
  /** Time of the last successful request; monotonic. */
  let takenAt = Number.NEGATIVE_INFINITY
  let released = false
  let asking: Promise<boolean> | undefined

  async function ask(): Promise<boolean> {
    const now = performance.now()
    const given = await leases.take(name, holder, ms)
    takenAt = given ? now : Number.NEGATIVE_INFINITY
    return given
  }

  async function take(): Promise<boolean> {
    if (released) return false
    if (performance.now() - takenAt < ms / 4) return true
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return await asking
  }

  // Waiting for a node may take longer than the lease lasts.
  const renewal = setInterval(() => {
    if (takenAt > Number.NEGATIVE_INFINITY) take().catch(() => {})
  }, ms / 3)
  renewal.unref()

  return {
    take,
    async release() {
      released = true
      clearInterval(renewal)
      await asking?.catch(() => {})
      if (takenAt > Number.NEGATIVE_INFINITY) await leases.release(name, holder)
    },
  }
}
