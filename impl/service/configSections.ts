import { type Static, Type } from '@sinclair/typebox'
import { defaultTransferLimits } from 'polgate-lib/http/transfers.ts'
import { Network } from 'polgate-protocol/explorer.ts'
import { Address } from 'polgate-protocol/scalars.ts'
import { documented, HttpUrl, Listen, Secret32 } from './configParts.ts'
import { defaultExplorerRateLimit } from './explorer/rest/ports.ts'
import { defaultRateLimits } from './gateway/rateLimit.ts'
import { defaultUpdateLimits } from './gateway/updates/limits.ts'

/** Sections of the configuration of a service; `configOperators.ts` has those of operators. */

export const closed = { additionalProperties: false }
export const exampleAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
/** The way to give a secret: the file names a variable of the environment. */
export const fromVariable = (name: string) => ({ examples: [`\${${name}}`] })

const RateLimit = Type.Object({
  perSecond: documented(Type.Number({ exclusiveMinimum: 0 }), 'Calls in the long run.', {
    unit: 'calls per second',
    examples: [50],
  }),
  burst: documented(Type.Number({ minimum: 1 }), 'Calls at once.', {
    unit: 'calls',
    examples: [100],
  }),
})

export const RateLimits = documented(
  Type.Object({
    perKey: documented(RateLimit, 'Of an API key, all methods together.'),
    perMethod: Type.Optional(
      documented(
        Type.Record(Type.String(), documented(RateLimit, 'Of one method.')),
        'Of an API key for one method, by method name without prefix. It is counted apart from `perKey`.',
        { examples: [defaultRateLimits.perMethod] },
      ),
    ),
  }),
  'Rate limits of the JSON-RPC methods (decisions, section 9). Gateways on one PostgreSQL server count together.',
  { default: defaultRateLimits },
)

const { connections, connectionsPerKey, subscriptions, frameBytes } = defaultUpdateLimits
const { messagesPerSecond, messageBurst } = defaultUpdateLimits
const { bufferedBytes, bufferedBytesPerKey, bufferedBytesInTotal } = defaultUpdateLimits

export const WebSocketLimits = documented(
  Type.Object(
    {
      connections: Type.Optional(
        documented(Type.Integer({ minimum: 0 }), 'Open connections and handshakes.', {
          unit: 'connections',
          default: connections,
        }),
      ),
      connectionsPerKey: Type.Optional(
        documented(Type.Integer({ minimum: 0 }), 'The same of one API key.', {
          unit: 'connections',
          default: connectionsPerKey,
        }),
      ),
      subscriptions: Type.Optional(
        documented(
          Type.Integer({ minimum: 1 }),
          'Subscriptions of one connection to tasks that have not ended.',
          { unit: 'subscriptions', default: subscriptions },
        ),
      ),
      frameBytes: Type.Optional(
        documented(Type.Integer({ minimum: 1024 }), 'Largest message of a client.', {
          unit: 'bytes',
          default: frameBytes,
        }),
      ),
      bufferedBytes: Type.Optional(
        documented(
          Type.Integer({ minimum: 1024 }),
          'Updates that may wait for one connection to read them; a slower one is closed.',
          { unit: 'bytes', default: bufferedBytes },
        ),
      ),
      bufferedBytesPerKey: Type.Optional(
        documented(
          Type.Integer({ minimum: 1024 }),
          'The same of all connections of an API key: one with waiting updates is closed.',
          { unit: 'bytes', default: bufferedBytesPerKey },
        ),
      ),
      bufferedBytesInTotal: Type.Optional(
        documented(
          Type.Integer({ minimum: 1024 }),
          'The same of all connections; those of the keys for which most waits are closed.',
          { unit: 'bytes', default: bufferedBytesInTotal },
        ),
      ),
      messagesPerSecond: Type.Optional(
        documented(
          Type.Number({ exclusiveMinimum: 0 }),
          'Messages of one connection in the long run.',
          { unit: 'messages per second', default: messagesPerSecond },
        ),
      ),
      messageBurst: Type.Optional(
        documented(Type.Number({ minimum: 1 }), 'Messages of one connection at once.', {
          unit: 'messages',
          default: messageBurst,
        }),
      ),
    },
    { ...closed, default: {} },
  ),
  'Limits of the WebSocket of task updates (decisions, section 9).',
)

export const TransferLimits = documented(
  Type.Object(
    {
      bytesPerKey: Type.Optional(
        documented(
          Type.Integer({ minimum: 4 * 1024 * 1024 }),
          'Bytes of request bodies that are being received, and of responses that wait to be read, of one API key. A further body is refused with 429; the oldest waiting responses are cut.',
          { unit: 'bytes', default: defaultTransferLimits.bytesPerKey },
        ),
      ),
      bytes: Type.Optional(
        documented(
          Type.Integer({ minimum: 4 * 1024 * 1024 }),
          'The same of all keys. The key that holds most makes room for the others.',
          { unit: 'bytes', default: defaultTransferLimits.bytes },
        ),
      ),
      transfersPerKey: Type.Optional(
        documented(
          Type.Integer({ minimum: 1 }),
          'Bodies that are being received and responses that wait to be read of one API key.',
          { unit: 'transfers', default: defaultTransferLimits.transfersPerKey },
        ),
      ),
      bytesPerSecond: Type.Optional(
        documented(
          Type.Integer({ minimum: 1 }),
          'Least average rate of a body or response, after its first five seconds. A slower body is answered with 408, the connection of a slower reader is closed.',
          { unit: 'bytes per second', default: defaultTransferLimits.bytesPerSecond },
        ),
      ),
    },
    { ...closed, default: {} },
  ),
  'What clients of the gateway and the explorer hold by sending or reading slowly (decisions, section 9).',
)

export const ChainSection = documented(
  Type.Object(
    {
      rpcUrl: documented(HttpUrl, 'JSON-RPC URL of a node of the chain.', {
        examples: ['http://127.0.0.1:8545'],
      }),
      chainId: documented(Type.Integer({ minimum: 1 }), 'Chain id.', { examples: [31337] }),
      taskManager: documented(Address, 'TaskManager contract.', { examples: [exampleAddress] }),
      operatorRegistry: documented(Address, 'Operator registry contract.', {
        examples: [exampleAddress],
      }),
      identityRegistry: Type.Optional(
        documented(
          Address,
          'Registry of identity data (section 4.10). Without it, identity uploads are refused.',
          { examples: [exampleAddress] },
        ),
      ),
      confidentialDataRegistry: Type.Optional(
        documented(
          Address,
          'Registry of confidential data (section 4.10). Without it, confidential uploads are refused.',
          { examples: [exampleAddress] },
        ),
      ),
      postResults: documented(
        Type.Boolean({ default: true }),
        'Whether attested results are posted on chain.',
      ),
    },
    closed,
  ),
  'The chain with the contracts of the protocol.',
)

const dateTime = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})$'

export const Keys = documented(
  Type.Object(
    {
      gateway: documented(
        Secret32,
        'ECDSA private key of the account that posts tasks and attests data: 32 bytes of hex.',
        fromVariable('GATEWAY_KEY'),
      ),
      secrets: documented(
        Secret32,
        'X25519 private key that clients seal secrets to (section 4.5): 32 bytes of hex.',
        fromVariable('SECRETS_KEY'),
      ),
      privacy: documented(
        Secret32,
        'X25519 private key that sealed data is sealed to (section 4.10): 32 bytes of hex. Not used in threshold mode.',
        fromVariable('PRIVACY_KEY'),
      ),
      formerPrivacy: documented(
        Type.Array(
          Type.Object(
            {
              publicKey: documented(
                Type.String({ pattern: '^[0-9a-fA-F]{64}$' }),
                'X25519 public key: 32 bytes of hex without 0x.',
                { examples: ['1b'.repeat(32)] },
              ),
              acceptedUntil: documented(
                Type.String({ pattern: dateTime }),
                'ISO 8601 date and time with a zone. From then on data sealed to the key is refused.',
                { examples: ['2027-01-31T00:00:00Z'] },
              ),
            },
            closed,
          ),
          { default: [], maxItems: 16 },
        ),
        'Former privacy keys that data may still be sealed to (decision K11).',
      ),
    },
    closed,
  ),
  'Private keys of the service.',
)

const ExplorerNetwork = Type.Object(
  {
    chainId: documented(Type.Integer({ minimum: 1 }), 'Chain id.', { examples: [31337] }),
    rpcUrl: documented(HttpUrl, 'JSON-RPC URL of a node of the chain.', {
      examples: ['http://127.0.0.1:8545'],
    }),
    taskManager: documented(Address, 'TaskManager contract.', { examples: [exampleAddress] }),
    policyFactory: documented(Address, 'PolicyFactory contract.', { examples: [exampleAddress] }),
    startBlock: documented(
      Type.Integer({ minimum: 0, default: 0 }),
      'Block in which the first of these contracts was deployed, or an earlier one.',
      { unit: 'block number' },
    ),
    batchBlocks: documented(
      Type.Integer({ minimum: 1, maximum: 100_000, default: 2_000 }),
      'Most blocks per request for logs; fewer where the node refuses so many.',
      { unit: 'blocks' },
    ),
    pollMs: documented(
      Type.Integer({ minimum: 10, maximum: 600_000, default: 1_000 }),
      'Interval between two polls for a new block.',
      { unit: 'milliseconds' },
    ),
  },
  closed,
)
export type ExplorerNetwork = Static<typeof ExplorerNetwork>

export const Explorer = documented(
  Type.Object(
    {
      listen: Type.Optional(
        documented(
          Type.Object(Listen.properties, closed),
          'Listener of the explorer API. Absent: this process only indexes.',
        ),
      ),
      indexer: documented(
        Type.Boolean({ default: true }),
        'Whether this process follows the chains. Of several processes on one database one does; the others stand by.',
      ),
      networks: documented(
        Type.Partial(
          Type.Record(
            Network,
            documented(ExplorerNetwork, 'A chain with the contracts of the protocol.'),
          ),
          closed,
        ),
        'Chains by the value of the network header (decision X7).',
      ),
      rateLimit: Type.Optional(
        documented(RateLimit, 'Rate limit of an API key (decisions, section 9).', {
          default: defaultExplorerRateLimit,
        }),
      ),
    },
    closed,
  ),
  'Explorer API and indexer (section 4.12). Absent: neither.',
)
