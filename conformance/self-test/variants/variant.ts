import type { Target } from 'polgate-conformance/core/target.ts'
import type { PreparedTarget } from 'polgate-conformance/targets/target.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'

/**
 * A gateway that makes another choice than the reference implementation where the specification is
 * silent, or that runs under other conditions. It is correct: a check that fails on it raises a false
 * alarm.
 */
export type Variant = {
  /** Area and choice: `answer.members-reversed`. Never reused. */
  readonly id: string
  /** The choice, as a report shows it: `writes the members of objects in reverse order`. */
  readonly choice: string
  readonly parts?: () => ServiceParts
  readonly config?: (config: ServiceConfigInput) => ServiceConfigInput
  /** Puts a proxy between the suite and the gateway, or changes its chain. */
  readonly around?: (target: Target) => Promise<PreparedTarget>
  /**
   * The clauses that the choice concerns. A run of this variant alone then takes the checks of their
   * sections; every check otherwise.
   */
  readonly clauses?: readonly string[]
  /** What its owner declares in the target file. */
  readonly declares?: Target['notApplicable']
  /**
   * A condition, such as a latency, that makes a run take many minutes: combined with no other
   * variant.
   */
  readonly slow?: true
  /** Leaves out what other variants change: combined with no other variant. */
  readonly alone?: true
  /** The processes of the gateway and the suite get half of a processor. */
  readonly halfProcessor?: true
}

type Part = (inner: never) => unknown

/** Parts of several variants: the later ones wrap the earlier ones. */
export function composedParts(all: readonly ServiceParts[]): ServiceParts {
  const parts: Record<string, unknown> = {}
  for (const each of all)
    for (const [name, wrap] of Object.entries(each)) {
      const earlier = parts[name] as Part | undefined
      const isWrapper = earlier !== undefined && name !== 'clock' && name !== 'uuid'
      parts[name] = isWrapper ? (inner: never) => (wrap as Part)(earlier(inner) as never) : wrap
    }
  return parts
}
