import { ConformanceError } from '../core/conformanceError.ts'
import { Unanswered } from '../core/unanswered.ts'
import { isTimeout, slowMs } from './timeouts.ts'

/** Work that checks share: one accepted task, for all that read it. */
export type SharedWork = {
  readonly name: string
  readonly value: Promise<unknown>
  /** How long it took, milliseconds; 0 until it ends. */
  ms: number
  /** It came late on an overloaded machine, so that its failure proves nothing: why. */
  overload: string | undefined
}

export type SharedWorks = {
  /** Runs `make`, unless a check has before. */
  readonly of: (name: string, make: () => Promise<unknown>) => SharedWork
  /** A check was too late for it: the next one gets it anew, where it took long. */
  readonly renew: (work: SharedWork) => void
}

/** The answer that some values hold beside their parts, as an outcome of the check that judges it. */
const judged = (value: unknown): ConformanceError =>
  new ConformanceError('the answer', {
    expected: '',
    observed: String((value as { exchange?: { body?: unknown } } | undefined)?.exchange?.body),
  })

export function createSharedWorks(
  gatewayUrl: string,
  overloaded: () => string | undefined,
): SharedWorks {
  const made = new Map<string, SharedWork>()
  return {
    renew: (work) => {
      if (work.ms >= slowMs && made.get(work.name) === work) made.delete(work.name)
    },
    of: (name, make) => {
      const known = made.get(name)
      if (known !== undefined) return known
      const begun = performance.now()
      const work: SharedWork = { name, value: make(), ms: 0, overload: undefined }
      made.set(name, work)
      const end = (outcome: unknown) => {
        work.ms = performance.now() - begun
        work.overload = isTimeout(outcome, { ms: work.ms, gatewayUrl }) ? overloaded() : undefined
        // Without an answer in time nothing is known: the next check asks again.
        if (outcome instanceof Unanswered || work.overload !== undefined) made.delete(name)
      }
      // The first handler: a check that awaits the value finds the facts.
      work.value.then((value) => end(judged(value)), end)
      return work
    },
  }
}
