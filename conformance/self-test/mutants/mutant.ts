import type { Target } from 'polgate-conformance/core/target.ts'
import type { PreparedTarget } from 'polgate-conformance/targets/target.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'

/** Called at the moment the fault takes effect: a mutant that never does is void. */
export type Fire = () => void

/**
 * A gateway with one fault: the reference implementation with one part, or one answer, in another's
 * place. Nothing patches text; whatever a part is wrapped with is checked by the compiler.
 */
export type Mutant = {
  /** Area and fault: `webhook.retries-4xx`. Never reused. */
  readonly id: string
  /** What it does wrong, as a reader of a report is told: `retries answers with a 4xx status`. */
  readonly fault: string
  /**
   * What it breaks. It is killed where, for each of them, a check that cites the clause fails: so
   * name those that the fault breaks, and no others.
   */
  readonly clauses: readonly string[]
  readonly parts?: (fire: Fire) => ServiceParts
  readonly config?: (config: ServiceConfigInput, fire: Fire) => ServiceConfigInput
  /** Puts something between the suite and the gateway or its chain. */
  readonly around?: (target: Target, fire: Fire) => Promise<PreparedTarget>
}
