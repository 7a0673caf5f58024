import { hkdfSync } from 'node:crypto'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { EvaluationAnswer } from 'polgate-service/operators/operator.ts'
import type { OracleLimits } from 'polgate-service/oracles/limits.ts'
import type { SecretsByOracle } from 'polgate-service/oracles/recording/redactRecording.ts'
import { perOracle } from 'polgate-service/oracles/recording/redactRecording.ts'
import type { OracleRequest } from 'polgate-testing/stack/oracleExchange.ts'
import { type OracleReply, replyJson } from 'polgate-testing/stack/oracleReply.ts'
import { CommandError } from '../../commandDefinition.ts'
import type { DecisionCase } from '../../package/casesSchema.ts'
import type { PolicyPackage } from '../../package/policyPackage.ts'
import type { TestPrivateData } from '../../package/privateDataSchema.ts'
import {
  changed,
  packageArguments,
  readIntent,
  sharedArguments,
} from '../../package/resolvedCase.ts'
import { evaluateAsService, requestOf } from '../evaluateAsService.ts'
import type { Exchanges } from '../exchanges.ts'
import { parseJson } from '../inputFiles.ts'
import { readIntentDomainFile } from '../intentDomainFile.ts'
import { isAllowed } from '../policyReport.ts'
import { type OracleInput, openSimulator } from '../simulator.ts'
import { changedPrivateData, privateDataJson } from '../testPrivateData.ts'
import { openMockedHosts } from './mockedHosts.ts'
import { type MockSources, type MockTable, mockTable, UnwrittenReply } from './mockTable.ts'
import { hostName, hostOf, isSecretHost } from './secretHosts.ts'

export type CaseOutcome = {
  /** `fails`: there is no decision, because an oracle or the evaluation failed. */
  readonly decision: 'allow' | 'deny' | 'fails'
  /** The `deny` strings, sorted. */
  readonly reasons: readonly string[]
  readonly error: string | undefined
  /** Hosts that were asked, without repetition. */
  readonly asked: readonly string[]
  /** Requests that no mock answers: method and URL without its query. */
  readonly unanswered: readonly string[]
  /** Requests whose mock is to be filled in, and what with. */
  readonly unwritten: readonly string[]
  /** Undefined if the evaluation was not reached. */
  readonly evaluation: EvaluationAnswer | undefined
  /** JSON text of the parameters. */
  readonly params: string
  /** JSON text of what the policy read as private data; undefined for a policy that reads none. */
  readonly privateData?: string | undefined
  /** What clocks said, Unix milliseconds. */
  readonly now: number
}

/** Takes the place of what one host answers. */
export type HostFailure = {
  readonly host: string
  readonly reply: (usual: OracleReply) => OracleReply
}

/** Takes the place of the private data of a case. */
export type PrivateFailure = (usual: TestPrivateData) => TestPrivateData

export type CaseRunner = {
  run(
    each: DecisionCase,
    failure?: HostFailure | undefined,
    privateFailure?: PrivateFailure,
  ): Promise<CaseOutcome>
  close(): Promise<void>
}

export type CaseRunnerOptions = {
  readonly loaded: PolicyPackage
  readonly inputs: readonly OracleInput[]
  readonly secrets: SecretsByOracle
  /** Undefined for a policy that reads none. */
  readonly privateData: TestPrivateData | undefined
  readonly mocks: MockSources
  /** Every host that some case mocks. */
  readonly hosts: readonly string[]
  readonly limits: Partial<OracleLimits>
  /** Aborted: no further case is run. */
  readonly signal?: AbortSignal | undefined
}

/** The state of the run in progress: cases run one after the other. */
type Running = {
  readonly table: MockTable
  readonly failure: HostFailure | undefined
  readonly asked: Set<string>
  readonly unanswered: string[]
  readonly unwritten: string[]
  readonly now: number
  readonly privateJson: string | undefined
}

/** Runs the cases of a package: its oracles against mocks, its policy with their output. */
export async function openCaseRunner(options: CaseRunnerOptions): Promise<CaseRunner> {
  const { loaded, inputs, secrets, privateData, mocks, hosts, limits } = options
  const opened = Date.now()
  let running: Running | undefined
  const intent = await readIntent(loaded.intent)
  const params = loaded.params === undefined ? {} : parsed(loaded.params)
  const signingDomain =
    loaded.intentDomain === undefined ? undefined : await readIntentDomainFile(loaded.intentDomain)
  const mocked = await openMockedHosts(hosts, answer)
  const allowed = new Map(
    loaded.oracles.map(({ id, allowedHosts }) => [
      id,
      allowedHosts.map((host) => hostOf(host, secrets, loaded.placeOf('oracles'))),
    ]),
  )
  const placeholders = perOracle(secrets)
  const simulator = await openSimulator({
    oracles: inputs,
    exchanges: fixedExchanges(secrets, () => running?.now ?? opened),
    limits,
    allowedHosts: [],
    chainId: 31337,
    privateData: () => running?.privateJson,
    egress: (inner, oracle = '') => mocked.egress(inner, allowed.get(oracle) ?? []),
  }).catch(async (error) => {
    await mocked.close()
    throw error
  })

  function answer(request: OracleRequest): OracleReply {
    const { table, failure, asked, unanswered, unwritten } = running!
    const name = table.nameOf(hostName(request.url.host))
    asked.add(name)
    const usual = table.reply(request)
    if (usual === undefined) {
      unanswered.push(shown(request, name).slice(0, 300))
      return replyJson({ error: 'no mock answers this request' }, { status: 404 })
    }
    if (usual instanceof UnwrittenReply)
      unwritten.push(`${shown(request, name)}: ${usual.fillIn}`.slice(0, 800))
    return failure?.host === name ? failure.reply(usual) : usual
  }

  /** Method and URL without its query; a host that is a secret is not named, and neither are other secrets. */
  function shown({ method, url: { protocol, pathname, origin } }: OracleRequest, name: string) {
    const base = isSecretHost(name) ? `${protocol}//${name}` : origin
    return `${method} ${base}${withoutSecrets(pathname)}`
  }

  function withoutSecrets(path: string): string {
    try {
      return placeholders(undefined).hide(path)
    } catch {
      return '/(withheld: contains a secret)'
    }
  }

  /** Null: none are stored. */
  async function envelopeOf(at: number, changes: Readonly<Record<string, string | null>> | null) {
    if (changes === null) return null
    const { secrets: stored } = inputs[at]!
    const base: unknown = stored === undefined ? {} : JSON.parse(Buffer.from(stored).toString())
    return await simulator.sealed(at, Buffer.from(JSON.stringify(changed(base, changes))))
  }

  return {
    async run(each, failure, privateFailure = (usual) => usual) {
      options.signal?.throwIfAborted()
      const asked = new Set<string>()
      const unanswered: string[] = []
      const unwritten: string[] = []
      const now = each.time === undefined ? opened : Date.parse(each.time)
      const table = mockTable(mocks, each.mocks, () => now)
      const privateJson =
        privateData &&
        privateDataJson(privateFailure(changedPrivateData(privateData, each.privateData)))
      running = { table, failure, asked, unanswered, unwritten, now, privateJson }
      const given = changed(params, each.params)
      const paramsText = stringifyExact(given)
      const facts = () => ({
        ...{ asked: [...asked], unanswered, unwritten, params: paramsText },
        ...{ privateData: privateJson, now },
      })
      try {
        const sources = await Promise.all(
          simulator.sources.map(async (source, at) => {
            const changes = each.secrets?.[loaded.oracles[at]!.id]
            if (changes === undefined) return source
            return { ...source, envelope: await envelopeOf(at, changes) }
          }),
        )
        const args = sharedArguments(packageArguments(loaded.oracles, each.wasmArgs))
        const request = requestOf({
          source: loaded.policy.text,
          intent: changed(intent, each.intent),
          params: given,
          entrypoint: loaded.entrypoint,
          intentSignature: each.intentSignature,
          sources: sources.map((source) => ({ ...source, wasmArgs: hexOf(args) })),
        })
        const { result, evaluation } = await evaluateAsService({ ...simulator, sources }, request, {
          schemas: inputs.map(({ secretsSchema }) => secretsSchema?.text),
          paramsSchema: loaded.paramsSchema?.text,
          signingDomain,
          data: undefined,
          now: () => now,
          signal: new AbortController().signal,
        })
        const decision = !result.success ? 'fails' : isAllowed(result) ? 'allow' : 'deny'
        const reasons = evaluation?.reasons ?? []
        return { ...facts(), decision, reasons, error: result.error ?? undefined, evaluation }
      } catch (error) {
        // The gateway refuses this intent: a result like any other.
        if (!(error instanceof CommandError)) throw error
        const refused = { decision: 'fails', reasons: [], error: error.message } as const
        return { ...facts(), ...refused, evaluation: undefined }
      }
    },
    async close() {
      await Promise.all([simulator.close(), mocked.close()])
    },
  }
}

const parsed = ({ path, text }: { readonly path: string; readonly text: string }): unknown =>
  parseJson(path, text)

const hexOf = (text: string): `0x${string}` => `0x${Buffer.from(text).toString('hex')}`

/** Oracles have the clock of the case, and the same random numbers in every run. */
function fixedExchanges(secrets: SecretsByOracle, now: () => number): Exchanges {
  const placeholders = perOracle(secrets)
  return {
    now,
    recordedTime: true,
    random: (oracle) => (length) =>
      new Uint8Array(hkdfSync('sha256', 'policy test', '', oracle ?? '', length)),
    fetchFor: (_oracle, _limits, overHttp) => overHttp(),
    unknown: new AbortController().signal,
    clean(oracle, text) {
      try {
        return placeholders(oracle).hide(text)
      } catch {
        return '(withheld: contains a secret)'
      }
    },
    finish: () => Promise.resolve(),
  }
}
