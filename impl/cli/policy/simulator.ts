import { transpiledDirectory } from 'polgate-local/chainImage.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { BlsKey } from 'polgate-service/attestation/bls.ts'
import { ContentError } from 'polgate-service/content/contentError.ts'
import { contentIdOf } from 'polgate-service/content/contentId.ts'
import type { ContentStore } from 'polgate-service/content/contentStore.ts'
import { createEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import { sealEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { uploadRefused } from 'polgate-service/envelopes/secretsSchema.ts'
import { localOperator, openedSecrets } from 'polgate-service/operators/localOperator.ts'
import type { DataSource, Operator } from 'polgate-service/operators/operator.ts'
import type { PolicyEvaluator } from 'polgate-service/operators/policyEvaluator.ts'
import { createRegoEvaluator } from 'polgate-service/operators/regoEvaluator.ts'
import { createSecretsCheck } from 'polgate-service/operators/secretsCheck.ts'
import type { Egress } from 'polgate-service/oracles/egress.ts'
import type { OracleLimits } from 'polgate-service/oracles/limits.ts'
import { CommandError } from '../commandDefinition.ts'
import type { TextFile } from '../package/policyPackage.ts'
import { secretsMisfit } from '../package/schemaFit.ts'
import type { Exchanges } from './exchanges.ts'
import { type OracleStages, observedHost } from './simulatedOracle.ts'

/** One oracle of a simulation, read from its files. */
export type OracleInput = {
  /** Pack id, or the file name; undefined for `polgate policy-data simulate`. */
  readonly name: string | undefined
  readonly component: Uint8Array
  /** As sent by a caller; empty means `{}` (decision R6). */
  readonly wasmArgs: string
  /** Plaintext of the secrets, as in the file. */
  readonly secrets: Uint8Array | undefined
  readonly secretsSchema: TextFile | undefined
}

export type SimulatorOptions = {
  readonly oracles: readonly OracleInput[]
  readonly exchanges: Exchanges
  readonly limits: Partial<OracleLimits>
  readonly allowedHosts: readonly string[]
  readonly chainId: number
  /** JSON of the private data of the evaluation that begins; undefined without any. */
  readonly privateData?: (() => string | undefined) | undefined
  /** Stands in front of the connections of an oracle. */
  readonly egress?: (inner: Egress, oracle: string | undefined) => Egress
}

/** An operator of the service with temporary keys, and contents from files. */
export type Simulator = {
  readonly operator: Operator
  /** The oracles as a chain would describe them, with sealed secrets. */
  readonly sources: readonly DataSource[]
  /** Stages of the oracles, in the order of `sources`. */
  readonly stages: readonly OracleStages[]
  /** Makes a text available to the operator; returns its content id. */
  addContent(text: string): string
  /**
   * Other secrets of an oracle, by its index, as its source has them. @throws CommandError if they do not
   * match their schema
   */
  sealed(at: number, secrets: Uint8Array): Promise<string | null>
  /** Replaces oracle addresses in an error of the operator by names. */
  naming(text: string): string
  close(): Promise<void>
}

/** The policy client of every simulation. */
export const simulatedClient: Address = `0x${'51'.repeat(20)}`

const addressOf = (at: number): Address => `0x${(at + 1).toString(16).padStart(40, '0')}`

/** @throws CommandError if secrets do not match their schema */
export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { oracles, chainId, privateData, ...hostOptions } = options
  const contents = new Map<string, Uint8Array>()
  const add = (bytes: Uint8Array): string => {
    const cid = contentIdOf(bytes)
    contents.set(cid, bytes)
    return cid
  }
  const { key: secretsKey } = await createEncryptionKey()
  const evaluator = withPrivateData(
    createRegoEvaluator({ brand: defaultBrand, threads: 1 }),
    privateData,
  )
  const secretsCheck = createSecretsCheck()
  const cacheDir = transpiledDirectory
  // One host per oracle, to attribute exchanges: two oracles may use the same component.
  const hosts = oracles.map(({ name }) => observedHost({ ...hostOptions, name, cacheDir }))
  const close = async () => {
    await Promise.all([evaluator, secretsCheck, ...hosts].map((each) => each.close()))
  }
  const operatorWith = (host: (typeof hosts)[number] | undefined): Operator =>
    localOperator({
      address: addressOf(0),
      key: noKey,
      secretsKey,
      chainId,
      content: contentOf(contents),
      oracles: host?.oracles ?? noOracles,
      evaluator,
      secretsCheck,
      secretsInUse: openedSecrets(),
    })
  const operators = hosts.map(operatorWith)
  const whole = operatorWith(undefined)

  const seal = async ({ secrets }: OracleInput): Promise<string | null> =>
    secrets === undefined
      ? null
      : await sealEnvelope({
          plaintext: secrets,
          policyClient: simulatedClient,
          chainId,
          recipientPublicKey: secretsKey.publicKey,
        })

  try {
    for (const oracle of oracles) await checkSecrets(oracle)
    const sources = await Promise.all(
      oracles.map(async (oracle, at) => ({
        policyDataAddress: addressOf(at),
        wasmCid: add(oracle.component),
        wasmArgs: `0x${Buffer.from(oracle.wasmArgs).toString('hex')}` as const,
        envelope: await seal(oracle),
      })),
    )
    return {
      operator: {
        ...whole,
        async collectData({ policyClient, sources: asked }, signal) {
          const answers = await Promise.all(
            asked.map((source) => {
              const at = sources.findIndex(
                (each) => each.policyDataAddress === source.policyDataAddress,
              )
              return operators[at]!.collectData({ policyClient, sources: [source] }, signal)
            }),
          )
          return { outputs: answers.flatMap(({ outputs }) => outputs), timings: {} }
        },
      },
      sources,
      stages: hosts.map(({ stages }) => stages),
      async sealed(at, secrets) {
        const changed = { ...oracles[at]!, secrets }
        await checkSecrets(changed)
        return await seal(changed)
      },
      addContent: (text) => add(Buffer.from(text)),
      naming: (text) =>
        oracles.reduce(
          (named, { name }, at) =>
            named.replaceAll(`PolicyData ${addressOf(at)}`, name ?? 'the given file'),
          text,
        ),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }

  /** Validates secrets as on upload (section 2.7). */
  async function checkSecrets({ name, secrets, secretsSchema: schema }: OracleInput) {
    if (secrets === undefined || schema === undefined) return
    const problem = await secretsMisfit(schema, Buffer.from(secrets).toString('utf8'))
    if (problem === undefined) return
    const { message } = uploadRefused(problem)
    throw new CommandError(`${name === undefined ? '' : `${name}: `}${message}`, {
      hint: 'Compare the names and values of the secrets with the schema.',
    })
  }
}

/** Operators open private data; a simulation has it in files. */
function withPrivateData(
  evaluator: PolicyEvaluator,
  privateData: SimulatorOptions['privateData'],
): PolicyEvaluator {
  return {
    ...evaluator,
    evaluate(evaluation, signal) {
      const json = privateData?.()
      const given = json === undefined ? {} : { privateData: Buffer.from(json) }
      return evaluator.evaluate({ ...evaluation, ...given }, signal)
    },
  }
}

/** A simulation never signs. */
const noKey: BlsKey = {
  operatorId: `0x${'0'.repeat(64)}`,
  pubkeyG1: { X: 0n, Y: 0n },
  pubkeyG2: { X: [0n, 0n], Y: [0n, 0n] },
  sign() {
    throw new Error('a simulation cannot sign')
  },
}

const noOracles = {
  load: () => Promise.reject(new Error('no oracle')),
  run: () => Promise.reject(new Error('no oracle')),
  loaded: () => ({ count: 0, bytes: 0 }),
  workers: () => 0,
  close: () => Promise.resolve(),
}

const contentOf = (contents: ReadonlyMap<string, Uint8Array>): Pick<ContentStore, 'get'> => ({
  get: async (cid) => {
    const bytes = contents.get(cid)
    if (bytes === undefined)
      throw new ContentError('unavailable', `${cid} is not in the files of this simulation`)
    return bytes
  },
})
