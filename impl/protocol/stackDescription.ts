import { type Static, Type } from '@sinclair/typebox'
import { Brand } from './brand.ts'
import { Network } from './explorer.ts'
import { Address, Bytes32 } from './scalars.ts'

/**
 * Description of a running local stack: printed by `polgate start`, written to `.svc/stack.json`, and
 * read by the suite if the URL of its target is that of the stack. All of it is public and for
 * development only; real deployments have no such file.
 */
export const StackDescription = Type.Object({
  version: Type.Literal(1),
  pid: Type.Integer(),
  /** Without a path; the JSON-RPC endpoint is `{gatewayUrl}/rpc`. */
  gatewayUrl: Type.String(),
  /** Without `/v1` (section 4.12). */
  explorerUrl: Type.Optional(Type.String()),
  /** Loopback listener of `/healthz`, `/readyz` and `/metrics` (decision E10). */
  adminUrl: Type.Optional(Type.String()),
  /** Loopback listener that stops and starts operators; absent outside development. */
  controlUrl: Type.String(),
  fixtureHostUrl: Type.String(),
  /** Address of Studio, with the token of this stack; absent with `--no-studio`. */
  studioUrl: Type.Optional(Type.String()),
  /**
   * Loopback listener that injects faults into the links to chain, operators and oracles, if
   * enabled.
   */
  chaosUrl: Type.Optional(Type.String()),
  brand: Brand,
  chain: Type.Object({
    rpcUrl: Type.String(),
    chainId: Type.Integer(),
    taskManager: Address,
    operatorRegistry: Address,
    policyFactory: Type.Optional(Address),
    /** Registries of sealed data (section 4.10). */
    identityRegistry: Type.Optional(Address),
    confidentialDataRegistry: Type.Optional(Address),
  }),
  /** The chains by the value of the network header (decision X7). */
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
    /** Has `rpc`; associated with an address that owns nothing. */
    stranger: Type.String(),
    /** Has only `admin` (decision K9). */
    admin: Type.Optional(Type.String()),
  }),
  accounts: Type.Object({
    owner: Type.Object({ address: Address, privateKey: Bytes32 }),
    sender: Type.Object({ address: Address, privateKey: Bytes32 }),
    recipient: Type.Object({ address: Address }),
    /** Address associated with the key `stranger`. */
    stranger: Type.Optional(Type.Object({ address: Address, privateKey: Bytes32 })),
    /**
     * Registered on the confidential-data registry, and associated with every key except
     * `stranger`.
     */
    provider: Type.Optional(Type.Object({ address: Address, privateKey: Bytes32 })),
  }),
  /** Accounts whose attestations of oracle data the gateway can sign: for PolicyData contracts. */
  attesters: Type.Optional(Type.Array(Address)),
  /** Addresses of what acts on chain, without their keys. */
  roles: Type.Optional(
    Type.Object({
      /** Owns registry and task manager. */
      protocolOwner: Address,
      /** Posts tasks and responses. */
      aggregator: Address,
      /** Signs for the identity registry. */
      gateway: Address,
    }),
  ),
  /** What only these accounts may do on chain. What is not listed, everybody may. */
  permissions: Type.Optional(
    Type.Array(
      Type.Object({
        account: Address,
        /** Name of the ABI: `TaskManager`; `PolicyClient` for the policy clients. */
        contract: Type.String(),
        addresses: Type.Array(Address),
        functions: Type.Array(Type.String()),
      }),
    ),
  ),
  /** ABIs of the contracts, and where they are deployed. */
  contracts: Type.Optional(
    Type.Object({
      /** Folder on this machine with `<Contract>.json`, each with `abi` and `bytecode`. */
      artifacts: Type.String(),
      /** By the name of the artifact; policy clients have theirs in `clients`. */
      addresses: Type.Record(Type.String(), Address),
    }),
  ),
  /** A token that `owner` and `sender` hold, for vaults. */
  token: Type.Optional(Address),
  /** Where policies, schemas and oracles are stored for this stack, on this machine. */
  contentDirectory: Type.Optional(Type.String()),
  operators: Type.Array(Type.Object({ address: Address, id: Bytes32, stake: Type.String() })),
  /** Deployed policy clients by the name of their fixture. */
  clients: Type.Record(
    Type.String(),
    Type.Object({
      fixture: Type.String(),
      policyClient: Address,
      /** Name of its artifact, such as `SampleClient`. */
      contract: Type.Optional(Type.String()),
      policyAddress: Address,
      policyId: Bytes32,
      policyData: Type.Array(
        Type.Object({ address: Address, packId: Type.String(), wasmCid: Type.String() }),
      ),
      /** False if the client exposes no EIP-5267 domain (section 4.2). */
      exposesDomain: Type.Boolean(),
      domain: Type.Object({ name: Type.String(), version: Type.String() }),
      expireAfter: Type.Integer(),
    }),
  ),
})
export type StackDescription = Static<typeof StackDescription>
