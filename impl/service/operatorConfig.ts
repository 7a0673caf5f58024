import { type Static, Type } from '@sinclair/typebox'
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
  Secret32,
} from './configParts.ts'
import { readKeyFile } from './operators/keyFile.ts'

const Token = Type.String({ minLength: 16 })
const File = Type.String({ minLength: 1, description: 'a file that nobody else may read' })

/**
 * One operator as a process of its own. Each key stands in the configuration, which reads it from the
 * environment as `${NAME}`, or in a file of its own (`blsKeyFile` and so on).
 */
export const OperatorConfig = Type.Object(
  {
    listen: Listen,
    /** The secret that requests and answers are signed with; the gateway has it too. */
    token: Type.Optional(Token),
    tokenFile: Type.Optional(File),
    /** While the token is being changed: requests may still be signed with this one. */
    previousToken: Type.Optional(Token),
    address: Address,
    blsKey: Type.Optional(Secret32),
    blsKeyFile: Type.Optional(File),
    secretsKey: Type.Optional(Secret32),
    secretsKeyFile: Type.Optional(File),
    chainId: Type.Integer({ minimum: 1 }),
    /** Where the operator reads for itself what it is to sign; absent: it believes its gateway. */
    chain: Type.Optional(
      Type.Object(
        {
          rpcUrl: Type.String({ pattern: '^https?://' }),
          taskManager: Address,
          /** Keeps what was signed over a restart, so that no task gets two responses. */
          signedFile: Type.Optional(Type.String({ minLength: 1 })),
          /** The oldest block that a task may refer to, before the latest. */
          maxBlocksBehind: Type.Integer({ minimum: 0, default: 300 }),
        },
        { additionalProperties: false },
      ),
    ),
    bounds: Type.Object(
      {
        maxCalls: Type.Optional(Type.Integer({ minimum: 1 })),
        maxConnections: Type.Optional(Type.Integer({ minimum: 1 })),
        /** How long calls under way may still take when it is told to end, milliseconds. */
        drainMs: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      { additionalProperties: false, default: {} },
    ),
    /** The operator's own word on who shares the key and how many open: no gateway can change it. */
    threshold: Type.Optional(
      Type.Object(
        {
          key: Type.Optional(Secret32),
          keyFile: Type.Optional(File),
          needed,
          members: Type.Array(Type.Object({ address: Address, publicKey: PublicKey32 }), {
            maxItems: 128,
          }),
          directory: Type.String(),
          openings,
        },
        { additionalProperties: false },
      ),
    ),
    ...Contents,
  },
  { additionalProperties: false },
)
export type OperatorConfig = Static<typeof OperatorConfig>
export type OperatorConfigInput = DeepPartial<OperatorConfig>

/** @throws ServiceError naming the members, never their values */
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
 * @throws ServiceError for one that is missing or told twice, and for a file that others can read
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
        ? `it has neither ${name} nor ${name}File`
        : `it has both ${name} and ${name}File`,
    )
  }
  if (file === undefined) return value as string
  const text = await readKeyFile(file)
  if (form.test(text)) return text
  throw invalid(`the file of ${name} does not hold what it should`)
}

const invalid = (what: string) =>
  new ServiceError(`Invalid configuration: ${what}`, {
    code: -32603,
    clause: 'the configuration',
    hint: 'Give each secret once: as a value, or as the path of a file with nothing else in it.',
  })
