import { LimitError } from '../errors.ts'

/**
 * The budget of an evaluation. Code that loops or allocates charges it in advance; the meter ends
 * the evaluation with a {@link LimitError} when the budget is exceeded.
 */
export type Meter = {
  /**
   * Charges `units` steps of work, each about one visited element; checks the deadline
   * periodically.
   */
  charge(units: number): void
  /** Charges `bytes` before their allocation. */
  allocate(bytes: number): void
}

/** The meter of the running evaluation; there is at most one, because evaluation is synchronous. */
let running: Meter | undefined

/**
 * Runs an evaluation whose walks over values are charged to `meter`. Values share parts: a few
 * thousand steps can create one whose text exceeds any memory, so comparing and printing must be
 * charged, and no meter can be passed to them as argument.
 */
export function metered<T>(meter: Meter, run: () => T): T {
  const around = running
  running = meter
  try {
    return run()
  } finally {
    running = around
  }
}

/** Charges a walk over values with `members` visited. */
export function visited(members: number): void {
  running?.charge(members + 1)
}

/** Charges a walk over values that created `bytes` of text. */
export function written(bytes: number): void {
  running?.charge(bytes >> 5)
  running?.allocate(bytes)
}

/** A meter with a budget of steps and bytes and no clock, for tests and tools. */
export function budget(limits: { readonly units: number; readonly bytes: number }): Meter {
  let units = limits.units
  let bytes = limits.bytes
  return {
    charge: (n) => {
      units -= n
      if (!(units >= 0)) throw new LimitError('evaluation used up its steps')
    },
    allocate: (n) => {
      bytes -= n
      if (!(bytes >= 0)) throw new LimitError('evaluation used up its memory')
    },
  }
}
