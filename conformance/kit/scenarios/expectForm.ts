import type { Answer } from '../../core/answer.ts'
import type { Capability } from '../../core/check.ts'
import { ConformanceError } from '../../core/conformanceError.ts'
import { failureOf } from './requests.ts'

/**
 * Fails for a refusal of what depends on a form that the specification leaves open, and says how a
 * gateway with another form declares it. Everything else about the answer is for the caller to judge.
 */
export function expectForm(answer: Answer, form: Capability, what: string): void {
  const failure = failureOf(answer)
  if (failure === undefined) return
  throw new ConformanceError(`${what} is refused`, {
    expected: `accepted; a gateway that requires another form declares ${form} under notApplicable in the target file`,
    observed: failure,
  })
}
