import { ClientError, type ErrorCode } from 'polgate-client/index.ts'
import { printable } from 'polgate-conformance/core/printable.ts'
import { CommandError } from '../commandDefinition.ts'

/** What the policy or the contract decided, rather than a failure of the command. */
const refusals: readonly ErrorCode[] = [
  ...(['ATTESTATION_EXPIRED', 'ATTESTATION_SPENT', 'ATTESTATION_REFUSED'] as const),
  ...(['POLICY_DENIED', 'NOT_SPENDABLE', 'SECRETS_INVALID', 'MISSING_SECRETS'] as const),
]

/** An error of the SDK as one of a command: exit code 1 for a refusal, else 2. */
export function asCommandFailure(error: unknown): unknown {
  if (!(error instanceof ClientError)) return error
  const { shortMessage, details, metaMessages, code } = error
  const rest = [...(details === undefined ? [] : [details]), ...metaMessages].map((line) =>
    printable(`  ${line}`),
  )
  return new CommandError([`${printable(shortMessage)} (${code})`, ...rest].join('\n'), {
    hint: error.hint ?? 'polgate status shows the state of the stack.',
    exitCode: refusals.includes(code) ? 1 : 2,
    cause: error,
  })
}

/** Runs work with the SDK. @throws CommandError for its errors */
export async function withClientErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asCommandFailure(error)
  }
}
