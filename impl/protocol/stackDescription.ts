import { type Static, Type } from '@sinclair/typebox'
import { Brand } from './brand.ts'
import { Network } from './explorer.ts'
import { Address, Bytes32 } from './scalars.ts'

/**
 * What a running local stack says about itself: printed by `svc start`, written to `.svc/stack.json`,
 * read by the suite when its target's URL is the stack's. Everything in it is public and for
 * development only; a real deployment has no such file.
 */
export const StackDescription = Type.Object({
  version: Type.Literal(1),
  pid: Type.Integer(),
  /** Without a path; the endpoint is `{gatewayUrl}/rpc`. */
  gatewayUrl: Type.String(),
  /** Without `/v1` (section 4.12). */
  explorerUrl: Type.Optional(Type.String()),
  /** Loopback listener that stops and starts operators, absent outside development. */
  controlUrl: Type.String(),
  fixtureHostUrl: Type.String(),
  /** Loopback listener that troubles the ways to chain, operators and oracles, where it is one. */
  chaosUrl: Type.Optional(Type.String()),
  brand: Brand,
  chain: Type.Object({
    rpcUrl: Type.String(),
    chainId: Type.Integer(),
    taskManager: Address,
    operatorRegistry: Address,
    /** Where sealed data is registered (section 4.10). */
    identityRegistry: Type.Optional(Address),
    confidentialDataRegistry: Type.Optional(Address),
  }),
  /** The chains behind the names of the network header (decision X7). */
  networks: Type.Optional(
    Type.Partial(
      Type.Record(
        Network,
        Type.Object({
          rpcUrl: Type.String(),
          chainId: Type.Integer(),
          taskManager: Address,
          policyFactory: Address,
        }),
      ),
    ),
  ),
  /** Development keys by permission (section 5.1). */
  apiKeys: Type.Object({
    read: Type.String(),
    write: Type.String(),
    rpc: Type.String(),
    none: Type.String(),
    expired: Type.String(),
    /** Has `rpc`, is associated with an address that owns nothing. */
    stranger: Type.String(),
    /** Has `admin` alone (decision K9). */
    admin: Type.Optional(Type.String()),
  }),
  accounts: Type.Object({
    owner: Type.Object({ address: Address, privateKey: Bytes32 }),
    sender: Type.Object({ address: Address, privateKey: Bytes32 }),
    recipient: Type.Object({ address: Address }),
    /** With which the key `stranger` is associated. */
    stranger: Type.Optional(Type.Object({ address: Address, privateKey: Bytes32 })),
    /** Registered on the confidential-data registry, and associated with every key but `stranger`. */
    provider: Type.Optional(Type.Object({ address: Address, privateKey: Bytes32 })),
  }),
  operators: Type.Array(Type.Object({ address: Address, id: Bytes32, stake: Type.String() })),
  /** Deployed policy clients by name of their fixture. */
  clients: Type.Record(
    Type.String(),
    Type.Object({
      fixture: Type.String(),
      policyClient: Address,
      policyAddress: Address,
      policyId: Bytes32,
      policyData: Type.Array(
        Type.Object({ address: Address, packId: Type.String(), wasmCid: Type.String() }),
      ),
      /** False where the client exposes no EIP-5267 domain (section 4.2). */
      exposesDomain: Type.Boolean(),
      domain: Type.Object({ name: Type.String(), version: Type.String() }),
      expireAfter: Type.Integer(),
    }),
  ),
})
export type StackDescription = Static<typeof StackDescription>
