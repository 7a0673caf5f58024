import { InvalidParamsError, OwnershipError } from '../errors/accessErrors.ts'
import { ContractError } from '../errors/chainErrors.ts'
import type { ClientError } from '../errors/clientError.ts'
import {
  IncompatibleVersionError,
  MissingSecretsError,
  NotFoundError,
  PolicyNotFoundError,
  SecretsInvalidError,
} from '../errors/policyErrors.ts'
import {
  OracleFailedError,
  QuorumNotReachedError,
  RegoFailedError,
  type TaskErrorContext,
  TaskExistsError,
  TaskTimeoutError,
} from '../errors/taskErrors.ts'
import { UnavailableError } from '../errors/transportErrors.ts'
import type { Hex } from '../hex.ts'

type Rule = readonly [pattern: RegExp, make: (context: TaskErrorContext) => ClientError]

/** The id of the task in progress, in the text of `TaskAlreadyExists` (decision T4). */
const idIn = (text = ''): Hex | undefined => /0x[0-9a-fA-F]{64}/.exec(text)?.[0] as Hex | undefined

/** Messages of section 7.3, and of the decisions; the first that matches counts. */
const rules: readonly Rule[] = [
  [/^TaskAlreadyExists/, (c) => new TaskExistsError({ ...c, taskId: idIn(c.details) })],
  [/^Task timeout/, (c) => new TaskTimeoutError(c)],
  [/^Rego evaluation failed/, (c) => new RegoFailedError(c)],
  [/^WASM execution failed/, (c) => new OracleFailedError(c)],
  [/^Quorum not reached/, (c) => new QuorumNotReachedError(c)],
  [/^(Missing secrets for|No secrets found for)/, (c) => new MissingSecretsError(c)],
  [/^Secrets upload validation failed/, (c) => new SecretsInvalidError(c)],
  [/^Authorization failed|is owned by another user|has no owner/, (c) => new OwnershipError(c)],
  [/encode intent signature/, (c) => new InvalidParamsError({ ...c, member: 'intent_signature' })],
  [/^Incompatible policy/, (c) => new IncompatibleVersionError(c)],
  [/^Contract read failed:.*PolicyNotSet/s, (c) => new PolicyNotFoundError(c)],
  [/^Contract read failed:.*returned no data/s, (c) => new PolicyNotFoundError(c)],
  [/^Contract read failed/, (c) => new ContractError(c)],
  [/^No operators available/, (c) => new UnavailableError(c)],
  [/^No \w+ data found for data_ref_id/, (c) => new NotFoundError('sealed data', c)],
]

/** The error that a message of the service stands for; undefined if it is none of section 7.3. */
export function errorOfMessage(context: TaskErrorContext): ClientError | undefined {
  const { details = '' } = context
  return rules.find(([pattern]) => pattern.test(details))?.[1](context)
}
