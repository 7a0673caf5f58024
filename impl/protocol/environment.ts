import { type Static, Type } from '@sinclair/typebox'
import { Brand } from './brand.ts'
import { Network } from './explorer.ts'
import { Address, Bytes32 } from './scalars.ts'

const Listen = Type.Object({
  host: Type.String(),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
})
const Secret32 = Type.String({ pattern: '^0x[0-9a-f]{64}$' })
const Url = Type.String({ pattern: '^https?://' })

/**
 * What a gateway under test is handed by whoever starts it: a chain with the contracts on it, the
 * contents that policies name, the keys that it is to use and those that it is to take. It is made
 * for one run and worth nothing after it.
 */
export const GatewayEnvironment = Type.Object(
  {
    version: Type.Literal(1),
    /** Every name on the wire that carries a brand (decision E13). */
    brand: Brand,
    listen: Type.Object({
      /** `/rpc`, and the WebSocket at `/ws` (decision W1). */
      gateway: Listen,
      /** Of the explorer, `/v1` (section 4.12). A gateway without one leaves it closed. */
      explorer: Listen,
      /** Of the control listener, which is optional: the contract says what it answers. */
      control: Listen,
    }),
    chain: Type.Object({
      rpcUrl: Url,
      chainId: Type.Integer({ minimum: 1 }),
      taskManager: Address,
      operatorRegistry: Address,
      policyFactory: Address,
      identityRegistry: Address,
      confidentialDataRegistry: Address,
    }),
    /** Chains that the explorer shows, by the value of the network header (decision X7). */
    networks: Type.Partial(
      Type.Record(
        Network,
        Type.Object({
          rpcUrl: Url,
          chainId: Type.Integer({ minimum: 1 }),
          taskManager: Address,
          policyFactory: Address,
        }),
      ),
    ),
    /** Contents are read below `/ipfs/{cid}` of it; single blocks with `?format=raw` (decision O7). */
    contentGatewayUrl: Url,
    /** `host:port` of what oracles may call although its address is private (decision O5). */
    oracleHosts: Type.Array(Type.String()),
    /** Funded; posts tasks, attests the data of PolicyData contracts, signs for the gateway. */
    account: Type.Object({ address: Address, privateKey: Secret32 }),
    /** Registered in quorum 0 with these keys and stakes. */
    operators: Type.Array(
      Type.Object({
        address: Address,
        /** keccak256 of the G1 key (decision C4). */
        id: Bytes32,
        /** Scalar of BN254 (decision C1). */
        blsKey: Secret32,
        stake: Type.String({ pattern: '^[0-9]+$' }),
      }),
      { minItems: 1 },
    ),
    /** X25519 private keys that the gateway may use; it may make its own. */
    encryptionKeys: Type.Object({ secrets: Secret32, privacy: Secret32 }),
    /** To be in force when the gateway takes requests (sections 5.1 and 5.2). */
    apiKeys: Type.Array(
      Type.Object({
        name: Type.String(),
        key: Type.String({ minLength: 16 }),
        permissions: Type.Array(
          Type.Union([
            Type.Literal('rpc_read'),
            Type.Literal('rpc_write'),
            Type.Literal('rpc'),
            Type.Literal('admin'),
          ]),
        ),
        /** Whose policy clients it may act for. */
        owners: Type.Array(Address),
        /** ISO 8601; a time that has passed means a key that is refused. */
        expiresAt: Type.Optional(Type.String()),
      }),
    ),
    /** Webhooks may be registered at `http://127.0.0.1` and `http://localhost` (decision W8). */
    loopbackWebhooks: Type.Boolean(),
    /** Of a key; a gateway with lower limits is asked again after `Retry-After`, which takes longer. */
    rateLimit: Type.Object({ perSecond: Type.Number(), burst: Type.Integer() }),
  },
  { additionalProperties: false },
)
export type GatewayEnvironment = Static<typeof GatewayEnvironment>

/** The variable that names the file with all of it. */
export const environmentFileVariable = 'SVC_ENV_FILE'
