import { AppError } from 'polgate-lib/errors/appError.ts'
import { wellFormed } from 'polgate-rego/values/wellFormed.ts'

/** Why a policy has no result: the details of `Rego evaluation failed: {details}` (section 7.3). */
export class PolicyError extends AppError {}

/** Characters of details, which may quote documents. */
const maxDetails = 2_000

/** The details of an error of the engine, cut where they are long. */
export const policyDetails = (text: string): string =>
  text.length <= maxDetails
    ? text
    : `${wellFormed(text.slice(0, maxDetails))}... (${text.length} characters)`
