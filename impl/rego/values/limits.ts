import { LimitError } from '../errors.ts'

/**
 * What an evaluation may use up. Whoever is about to loop or to allocate says so first; the
 * meter ends the evaluation with a {@link LimitError} when the budget is gone.
 */
export type Meter = {
  /** `units` steps of work, each about one visited element; looks at the deadline now and then. */
  charge(units: number): void
  /** `bytes` about to be allocated. */
  allocate(bytes: number): void
}

/** The meter of the evaluation that runs; there is at most one, as evaluation never waits. */
let running: Meter | undefined

/**
 * Runs an evaluation whose walks over values are charged to `meter`. Values share their parts:
 * a few thousand steps make one whose text is longer than any memory, so comparing and
 * printing have to be charged, and they are reached by ways that no meter could be passed along.
 */
export const metered = <T>(meter: Meter, run: () => T): T => {
  const around = running
  running = meter
  try {
    return run()
  } finally {
    running = around
  }
}

/** Charges a walk over values with `members` visited. */
export const visited = (members: number): void => {
  running?.charge(members + 1)
}

/** Charges a walk over values with `bytes` of text it made. */
export const written = (bytes: number): void => {
  running?.charge(bytes >> 5)
  running?.allocate(bytes)
}

/** The meter of a budget in steps and bytes, with no clock: for tests and for tools. */
export const budget = (limits: { readonly units: number; readonly bytes: number }): Meter => {
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
