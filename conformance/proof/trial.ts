import type { CheckFinished } from '../core/events.ts'

/** A check that failed on a mutant, as stored in the record. */
export type Finding = Pick<
  CheckFinished,
  'id' | 'clauses' | 'level' | 'reason' | 'expected' | 'observed' | 'counterexample' | 'curl'
> & {
  /** The valid request was refused too: the check failed for another reason than its clauses. */
  readonly twinRefused?: true
}

export type Trial = {
  readonly id: string
  /**
   * `killed`: for every violated clause a check that cites it failed, its twin accepted. `survived`:
   * for at least one clause none did. `void`: the fault never took effect, so nothing was measured.
   * `broken`: the gateway did not start, or no check could run.
   */
  readonly verdict: 'killed' | 'survived' | 'void' | 'broken'
  /** Clauses that no failing check cites. */
  readonly unproven: readonly string[]
  readonly failed: readonly Finding[]
  readonly asked: number
  /** Why it is broken or void. */
  readonly reason?: string
  /** Why a check that proved nothing may have detected it: the machine was overloaded. */
  readonly overload?: string
  readonly ms: number
}
