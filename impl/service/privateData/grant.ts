import { type Static, Type } from '@sinclair/typebox'
import { TaskIntent } from 'polgate-protocol/intent.ts'
import { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { validatorOf } from '../threshold/signed.ts'

/** The task that needs the data; its id is the hash of the other members (decision T3). */
const GrantedTask = {
  chainId: Type.Integer({ minimum: 0 }),
  taskId: Bytes32,
  policyClient: Address,
  referenceBlock: Type.Integer({ minimum: 0 }),
  nonce: Type.Integer({ minimum: 0 }),
  // Without its `$id`, which one schema may have once.
  intent: Type.Object(TaskIntent.properties),
  intentSignature: Type.Union([Data, Type.Null()]),
}

const closed = { additionalProperties: false }

/** Why an operator may open one envelope: what its claim says, which every member verifies. */
export const Grant = Type.Union([
  /** The user who signed the intent has linked an identity to the client. */
  Type.Object({ kind: Type.Literal('identity'), ...GrantedTask, domain: Bytes32 }, closed),
  /** The client has set a source, whose provider has granted it. */
  Type.Object(
    {
      kind: Type.Literal('confidential'),
      ...GrantedTask,
      provider: Address,
      domain: Bytes32,
      dataType: Type.String({ maxLength: 64 }),
    },
    closed,
  ),
  /** The envelope is sealed for the client. */
  Type.Object({ kind: Type.Literal('ephemeral'), ...GrantedTask }, closed),
])
export type Grant = Static<typeof Grant>

const check = validatorOf(Grant)

/** @throws ThresholdError for a claim that is not a grant */
export function readGrant(claim: string): Grant {
  let value: unknown
  try {
    value = JSON.parse(claim)
  } catch {
    // Not a grant; the parser's message would contain part of it.
  }
  return check(value)
}

export const claimOf = (grant: Grant): string => JSON.stringify(grant)
