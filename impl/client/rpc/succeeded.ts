import type { BaseClient } from '../client/createBaseClient.ts'
import { type MissingSecret, MissingSecretsError } from '../errors/policyErrors.ts'
import { RequestRefusedError } from '../errors/transportErrors.ts'
import { errorOfMessage } from './errorOfMessage.ts'

/** A result whose `success` is true, with the members that it then has. */
export type Succeeded<Result, Member extends keyof Result = never> = Omit<
  Result,
  Member | 'success' | 'error'
> & { readonly success: true } & { readonly [Name in Member]-?: NonNullable<Result[Name]> }

type Reported = {
  readonly success: boolean
  readonly error?: string | null | undefined
  readonly message?: string
  readonly error_details?: { readonly missing_secrets: readonly MissingSecret[] } | null | undefined
}

/**
 * A result, if it reports success: operational failures are HTTP 200 with `success: false`
 * (section 4.1).
 *
 * @throws the error of its message; RequestRefusedError for another one
 */
export function succeeded<Result extends Reported, Member extends keyof Result = never>(
  client: Pick<BaseClient, 'brand'>,
  method: string,
  result: Result,
): Succeeded<Result, Member> {
  if (result?.success === true) return result as unknown as Succeeded<Result, Member>
  const details = result?.error ?? result?.message ?? undefined
  const context = { details, metaMessages: [`Method: ${client.brand.methodPrefix}${method}`] }
  const missing = result?.error_details?.missing_secrets
  if (missing !== undefined) throw new MissingSecretsError({ ...context, missing })
  throw errorOfMessage(context) ?? new RequestRefusedError(context)
}
