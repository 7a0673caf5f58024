import type { LeaseQueries } from '../../store/leases.ts'

/** The right to write one chain, kept up as long as this process lives and is not held. */
export type LeaseKeeper = {
  /** Whether it is ours, for three quarters of its time at least. Takes it where it is free. */
  take(): Promise<boolean>
  /** Gives it up, for good. */
  release(): Promise<void>
}

export function createLeaseKeeper(options: {
  readonly leases: Pick<LeaseQueries, 'take' | 'release'>
  readonly name: string
  readonly holder: string
  /** Milliseconds that it lasts without being renewed. */
  readonly ms: number
}): LeaseKeeper {
  const { leases, name, holder, ms } = options
  /** When it was asked for, the last time it was given; monotonic. */
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

  // A node may be waited for longer than the lease lasts.
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
