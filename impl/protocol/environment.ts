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
 * Environment of a gateway under test, provided by the process that starts it: a chain with
 * contracts, the contents that policies refer to, the keys that the gateway uses, and the API keys
 * that it accepts. Created for one run.
 */
export const GatewayEnvironment = Type.Object(
  {
    version: Type.Literal(1),
    /** All branded names on the wire (decision E13). */
    brand: Brand,
    listen: Type.Object({
      /** `/rpc`, and the WebSocket at `/ws` (decision W1). */
      gateway: Listen,
      /**
       * Listener of the explorer, `/v1` (section 4.12). A gateway without an explorer leaves the
       * port closed.
       */
      explorer: Listen,
      /** Listener of the optional control API, which the contract describes. */
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
    /** Serves contents at `/ipfs/{cid}`; single blocks with `?format=raw` (decision O7). */
    contentGatewayUrl: Url,
    /** Private `host:port` pairs that oracles may call (decision O5). */
    oracleHosts: Type.Array(Type.String()),
    /**
     * Funded account: posts tasks, attests the data of PolicyData contracts, signs for the gateway.
     */
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
    /** X25519 private keys that the gateway may use; it may generate its own. */
    encryptionKeys: Type.Object({ secrets: Secret32, privacy: Secret32 }),
    /** Must be valid when the gateway accepts requests (sections 5.1 and 5.2). */
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
        /** Owners whose policy clients the key may use. */
        owners: Type.Array(Address),
        /** ISO 8601; a past time makes an expired key. */
        expiresAt: Type.Optional(Type.String()),
      }),
    ),
    /** Webhooks may be registered at `http://127.0.0.1` and `http://localhost` (decision W8). */
    loopbackWebhooks: Type.Boolean(),
    /**
     * Rate limit of a key; with a lower one the suite retries after `Retry-After`, which takes
     * longer.
     */
    rateLimit: Type.Object({ perSecond: Type.Number(), burst: Type.Integer() }),
  },
  { additionalProperties: false },
)
export type GatewayEnvironment = Static<typeof GatewayEnvironment>

/** Environment variable with the path of the file that contains all of it. */
export const environmentFileVariable = 'SVC_ENV_FILE'
