import type { Answer } from '../../core/answer.ts'
import type { Capability } from '../../core/check.ts'
import { ConformanceError } from '../../core/conformanceError.ts'
import { failureOf } from './requests.ts'

/** What is expected of a target that does not declare a form as not applicable. */
export const acceptedOr = (form: Capability): string =>
  `accepted; a gateway that does not accept it by choice declares ${form} under notApplicable in the target file`

/**
 * Fails for a refusal of what the specification leaves open, and says how a gateway with another choice
 * declares it. Everything else about the answer is for the caller to judge.
 */
export function expectForm(answer: Answer, form: Capability, what: string): void {
  const failure = failureOf(answer)
  if (failure === undefined) return
  throw new ConformanceError(`${what} is refused`, {
    expected: acceptedOr(form),
    observed: failure,
  })
}
