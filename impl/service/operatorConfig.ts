import { type Static, Type } from '@sinclair/typebox'
import { Brand } from 'polgate-protocol/brand.ts'
import { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import {
  Contents,
  configParser,
  type DeepPartial,
  Listen,
  needed,
  openings,
  PublicKey32,
  resharing,
  Secret32,
} from './configParts.ts'
import { TelemetrySection } from './configTelemetry.ts'
import { readKeyFile } from './operators/keyFile.ts'

const Token = Type.String({ minLength: 16 })
const File = Type.String({ minLength: 1, description: 'a file that only its owner may read' })

/**
 * An operator in a separate process. Each key is in the configuration, usually as an environment
 * reference (`${NAME}`), or in a separate file (`blsKeyFile` and so on).
 */
const Members = Type.Array(Type.Object({ address: Address, publicKey: PublicKey32 }), {
  maxItems: 128,
})

export const OperatorConfig = Type.Object(
  {
    listen: Listen,
    /** Shared with the gateway: authenticates requests and responses. */
    token: Type.Optional(Token),
    tokenFile: Type.Optional(File),
    /** During a rotation of the token: requests may still be signed with this one. */
    previousToken: Type.Optional(Token),
    address: Address,
    blsKey: Type.Optional(Secret32),
    blsKeyFile: Type.Optional(File),
    secretsKey: Type.Optional(Secret32),
    secretsKeyFile: Type.Optional(File),
    chainId: Type.Integer({ minimum: 1 }),
    /**
     * Node against which the operator verifies what it signs; without it, it trusts its gateway.
     */
    chain: Type.Optional(
      Type.Object(
        {
          rpcUrl: Type.String({ pattern: '^https?://' }),
          taskManager: Address,
          /** Registries of private data; without them, tasks that need it fail. */
          identityRegistry: Type.Optional(Address),
          confidentialDataRegistry: Type.Optional(Address),
          /** Persists signed responses across restarts, so that no task gets two. */
          signedFile: Type.Optional(Type.String({ minLength: 1 })),
          /** How many blocks before the latest a task's reference block may be. */
          maxBlocksBehind: Type.Integer({ minimum: 0, default: 300 }),
        },
        { additionalProperties: false },
      ),
    ),
    bounds: Type.Object(
      {
        maxCalls: Type.Optional(Type.Integer({ minimum: 1 })),
        maxConnections: Type.Optional(Type.Integer({ minimum: 1 })),
        /** Milliseconds that calls in flight may still take during shutdown. */
        drainMs: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      { additionalProperties: false, default: {} },
    ),
    /** Members and threshold of the shared key, set here so that no gateway can change them. */
    threshold: Type.Optional(
      Type.Object(
        {
          key: Type.Optional(Secret32),
          keyFile: Type.Optional(File),
          needed,
          members: Members,
          /** The roster that the key may be reshared to. */
          next: Type.Optional(
            Type.Object({ needed, members: Members }, { additionalProperties: false }),
          ),
          resharing,
          directory: Type.String(),
          openings,
        },
        { additionalProperties: false },
      ),
    ),
    /** As that of the gateway: policies and oracles call the operator by these names. */
    brand: Type.Optional(Type.Partial(Brand)),
    telemetry: Type.Optional(TelemetrySection),
    ...Contents,
  },
  { additionalProperties: false },
)
export type OperatorConfig = Static<typeof OperatorConfig>
export type OperatorConfigInput = DeepPartial<OperatorConfig>

/** @throws ServiceError with the names of invalid members, without their values */
export const parseOperatorConfig: (input: OperatorConfigInput) => OperatorConfig = configParser(
  OperatorConfig,
  'operator',
  'Compare it with OperatorConfig in impl/service/operatorConfig.ts.',
)

export type OperatorSecrets = {
  readonly token: string
  readonly blsKey: string
  readonly secretsKey: string
  readonly thresholdKey: string | undefined
}

/**
 * The secrets of an operator, from the configuration or from their files.
 *
 * @throws ServiceError for a secret that is missing or given twice, and for a file that others can
 * read
 */
export async function loadSecrets(config: OperatorConfig): Promise<OperatorSecrets> {
  const { threshold } = config
  const [token, blsKey, secretsKey, thresholdKey] = await Promise.all([
    secretOf('token', config.token, config.tokenFile, /^.{16,}$/),
    secretOf('blsKey', config.blsKey, config.blsKeyFile, key),
    secretOf('secretsKey', config.secretsKey, config.secretsKeyFile, key),
    threshold && secretOf('threshold.key', threshold.key, threshold.keyFile, key),
  ])
  return { token, blsKey, secretsKey, thresholdKey }
}

const key = /^(0x)?[0-9a-fA-F]{64}$/

async function secretOf(
  name: string,
  value: string | undefined,
  file: string | undefined,
  form: RegExp,
): Promise<string> {
  if ((value === undefined) === (file === undefined)) {
    throw invalid(
      value === undefined
        ? `neither ${name} nor ${name}File is set`
        : `both ${name} and ${name}File are set`,
    )
  }
  if (file === undefined) return value as string
  const text = await readKeyFile(file)
  if (form.test(text)) return text
  throw invalid(`${name}File does not contain a valid ${name}`)
}

const invalid = (what: string) =>
  new ServiceError(`Invalid configuration: ${what}`, {
    code: -32603,
    clause: 'the configuration',
    hint: 'Give each secret once: as a value, or as the path of a file that contains only the secret.',
  })
