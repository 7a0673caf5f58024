import type { EvaluateOptions } from '../engine.ts'
import { Coverage, type CoverageReport } from '../report/coverage.ts'
import { helped } from './compile.ts'
import type { Policy } from './policy.ts'
import { testWith } from './test.ts'

/** A query with its input. */
export type Evaluation = EvaluateOptions & { readonly query: string }

/**
 * Which rows of a policy were reached by some evaluations, or, without any, by its tests. An expression
 * is reached if it was evaluated, a head if its body held. Tests themselves do not count.
 *
 * @throws RegoError if an evaluation fails
 */
export function coverage(policy: Policy, evaluations?: readonly Evaluation[]): CoverageReport {
  const tracer = new Coverage()
  const { modules } = policy.engine
  if (evaluations === undefined) testWith(policy, {}, tracer)
  else {
    const engine = policy.traced(tracer)
    for (const { query, ...options } of evaluations) {
      try {
        engine.prepare(query).evaluate(options)
      } catch (error) {
        throw helped(error, policy.builtins)
      }
    }
  }
  return tracer.policyReport(modules)
}
