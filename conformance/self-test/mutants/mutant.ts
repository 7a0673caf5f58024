import type { Target } from 'polgate-conformance/core/target.ts'
import type { PreparedTarget } from 'polgate-conformance/targets/target.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'

/** Called when the fault takes effect: a mutant that never does is void. */
export type MarkFired = () => void

/**
 * A gateway with one fault: the reference implementation with one part or one response replaced. No
 * text is patched; the compiler checks every wrapper.
 */
export type Mutant = {
  /** Area and fault: `webhook.retries-4xx`. Never reused. */
  readonly id: string
  /** The fault, as a report shows it: `retries answers with a 4xx status`. */
  readonly fault: string
  /**
   * Violated clauses. The mutant is killed if, for each of them, a check that cites the clause
   * fails: so list exactly the clauses that the fault violates.
   */
  readonly clauses: readonly string[]
  /**
   * `any`: the mutant is killed as soon as a check that cites one of the clauses fails. Several clauses
   * specify a member of an answer, and a wrong value violates one of them.
   */
  readonly proof?: 'each' | 'any'
  /**
   * Checks that cite these run first: for a fault that needs an answer before, or that shows in another
   * member too.
   */
  readonly before?: readonly string[]
  /**
   * The fault is only in what listeners, the `socket` of the update server and the `claim` of the
   * webhook store pass on: started services take it and lose it again, whatever its checks do.
   */
  readonly onWire?: true
  readonly parts?: (markFired: MarkFired) => ServiceParts
  readonly config?: (config: ServiceConfigInput, markFired: MarkFired) => ServiceConfigInput
  /** How many of the four operators must take part to open private data. Default: a single privacy key. */
  readonly threshold?: number
  /** Puts a proxy between the suite and the gateway or its chain. */
  readonly around?: (target: Target, markFired: MarkFired) => Promise<PreparedTarget>
}
