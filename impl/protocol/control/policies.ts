import { type Static, Type } from '@sinclair/typebox'
import { maxExpireAfter } from '../expiryBlock.ts'
import { Address, Bytes32, Nullable } from '../scalars.ts'

/** Answers of the control API of a local stack about deployed policies and policy clients. */

/** A text of the content store; `problem` says why it is missing. */
const Content = Type.Object({
  cid: Type.String(),
  text: Nullable(Type.String()),
  problem: Nullable(Type.String()),
})
export type Content = Static<typeof Content>

export const PolicySummary = Type.Object({
  address: Address,
  /** From its metadata, once the explorer has read them. */
  name: Nullable(Type.String()),
  version: Type.String(),
  owner: Nullable(Address),
  entrypoint: Type.String(),
  /** Whether its source was found and compiles; null until that was checked. */
  verified: Nullable(Type.Boolean()),
  /** How many clients have it now. */
  clients: Type.Integer({ minimum: 0 }),
})
export type PolicySummary = Static<typeof PolicySummary>

/** An oracle of a policy. */
export const PolicySourceView = Type.Object({
  address: Address,
  wasmCid: Type.String(),
  /** Empty: it needs no secrets. */
  secretsSchemaCid: Type.String(),
  /** Blocks for which its data are valid. */
  expireAfter: Type.Integer(),
  version: Type.String(),
  attesters: Type.Array(Address),
})
export type PolicySourceView = Static<typeof PolicySourceView>

export const PolicyDetail = Type.Object({
  ...PolicySummary.properties,
  author: Nullable(Type.String()),
  description: Nullable(Type.String()),
  metadataCid: Type.String(),
  /** Rego. */
  source: Content,
  /** JSON Schema of the parameters; null: the policy has none. */
  paramsSchema: Nullable(Content),
  sources: Type.Array(PolicySourceView),
})
export type PolicyDetail = Static<typeof PolicyDetail>

export const ClientSummary = Type.Object({
  address: Address,
  /** Name of its fixture in the description of the stack. */
  name: Nullable(Type.String()),
  policyAddress: Address,
  policyId: Bytes32,
  /** How often a policy or its parameters were set. */
  versions: Type.Integer({ minimum: 1 }),
  /** Block in which the current one was set. */
  setInBlock: Type.Integer({ minimum: 0 }),
})
export type ClientSummary = Static<typeof ClientSummary>

/** A policy and its parameters as a client had or has them. */
export const ClientVersion = Type.Object({
  policyAddress: Address,
  policyId: Bytes32,
  /** The text on chain, expected to be JSON. */
  params: Type.String(),
  /** Blocks for which an attestation is valid. */
  expireAfter: Type.Integer(),
  block: Type.Integer({ minimum: 0 }),
  transactionHash: Bytes32,
  current: Type.Boolean(),
})
export type ClientVersion = Static<typeof ClientVersion>

/** Whether the service has secrets of a client for a source; never the secrets. */
export const SecretsState = Type.Object({
  policyDataAddress: Address,
  state: Type.Union([Type.Literal('present'), Type.Literal('missing'), Type.Literal('not needed')]),
})
export type SecretsState = Static<typeof SecretsState>

export const ClientDetail = Type.Object({
  ...ClientSummary.properties,
  /** Null: it has none, and its policy cannot be changed. */
  owner: Nullable(Address),
  /** Whether the stack has the key of the owner, and can act for it. */
  canChange: Type.Boolean(),
  /** JSON text of the parameters; `{}` where the client has none. */
  params: Type.String(),
  expireAfter: Type.Integer(),
  /** Null where the policy cannot be read; `problem` says why. */
  policy: Nullable(PolicyDetail),
  problem: Nullable(Type.String()),
  secrets: Type.Array(SecretsState),
  /** The newest first, at most 100. */
  history: Type.Array(ClientVersion),
})
export type ClientDetail = Static<typeof ClientDetail>

/** A page of a list; pages start at 1. */
export type ControlPage<T> = {
  readonly total: number
  readonly page: number
  readonly size: number
  readonly results: readonly T[]
}

/** Body of `POST /clients/:address/policy`; absent members stay as they are. */
export const SetPolicyBody = Type.Object(
  {
    policyAddress: Type.Optional(Address),
    /** JSON text of an object. */
    params: Type.Optional(Type.String({ maxLength: 256 * 1024 })),
    expireAfter: Type.Optional(Type.Integer({ minimum: 1, maximum: maxExpireAfter })),
  },
  { additionalProperties: false },
)
export type SetPolicyBody = Static<typeof SetPolicyBody>

/** Body of `POST /clients/:address/owner`. */
export const SetOwnerBody = Type.Object({ owner: Address }, { additionalProperties: false })
export type SetOwnerBody = Static<typeof SetOwnerBody>

/** Answer of both. */
export type ClientChange = {
  readonly transactionHash: Bytes32
  readonly block: number
}
