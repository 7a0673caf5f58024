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
  readonly parts?: (markFired: MarkFired) => ServiceParts
  readonly config?: (config: ServiceConfigInput, markFired: MarkFired) => ServiceConfigInput
  /** Puts a proxy between the suite and the gateway or its chain. */
  readonly around?: (target: Target, markFired: MarkFired) => Promise<PreparedTarget>
}
