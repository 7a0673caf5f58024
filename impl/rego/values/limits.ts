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
