import { AppError } from 'polgate-lib/errors/appError.ts'

/** Why a policy has no result: the details of `Rego evaluation failed: {details}` (section 7.3). */
export class PolicyError extends AppError {}
