import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { Caller } from './caller.ts'

const zeroAddress = /^0x0{40}$/

const unauthorized = (why: string, hint: string) =>
  new ServiceError(`Authorization failed: ${why}`, {
    code: errorCode.authorization,
    clause: 'section 5.2',
    hint,
  })

/**
 * The caller's key must be associated with the current owner on chain (section 5.2).
 *
 * @throws ServiceError -32002 with the messages of section 7.3
 */
export function requireOwner(caller: Caller, policyClient: Address, owner: Address): void {
  if (zeroAddress.test(owner)) {
    throw unauthorized(
      `policy client ${policyClient} has no owner; ownership cannot be verified`,
      'Deploy the client with an owner.',
    )
  }
  if (!caller.owners.includes(owner.toLowerCase() as Address)) {
    throw unauthorized(
      `policy client ${policyClient} is owned by another user`,
      'Use an API key that is associated with the owner, or transfer the ownership.',
    )
  }
}
