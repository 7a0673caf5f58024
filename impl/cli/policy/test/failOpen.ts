import { OracleReply, replyBody, replyNothing } from 'polgate-testing/stack/oracleReply.ts'
import type { FailureMode } from '../../package/casesSchema.ts'
import type { CaseOutcome, CaseRunner } from './caseRunner.ts'
import type { PlacedCase } from './loadCases.ts'
import type { PrivateDataFailure } from './privateFailures.ts'

/** What decides when one host, or the private data, fails in one way in a case that allows. */
export type FailOpenResult = {
  readonly name: string
  readonly place: string
  readonly kind: 'host' | 'private data'
  /** Or `service.identity`, `service.confidential.<type>`, `data.privacy`. */
  readonly host: string
  readonly mode: FailureMode
  /** The failure in words: "answers {}". */
  readonly failure: string
  readonly outcome: CaseOutcome
  /** Whether the case says that it is allowed despite this failure. */
  readonly accepted: boolean
}

/** An HTTP call of the oracle ends in an error after this time; the answer of a slow host comes later. */
export const slowLimits = { httpCallMs: 250 } as const
const slowMs = 1_000

type Failure = {
  readonly mode: FailureMode
  readonly failure: string
  readonly reply: (usual: OracleReply) => OracleReply
}

const garbage = (body: string, shown = body): Failure => ({
  mode: 'garbage',
  failure: `answers ${shown}`,
  reply: () => replyBody(body, { headers: { 'content-type': 'application/json' } }),
})

const failures: readonly Failure[] = [
  { mode: 'down', failure: 'cuts the connection', reply: () => replyNothing() },
  {
    mode: 'down',
    failure: 'answers 503',
    reply: () => replyBody('Service Unavailable', { status: 503 }),
  },
  {
    mode: 'slow',
    failure: 'does not answer in time',
    reply: ({ status, headers, body }) =>
      new OracleReply({ status, headers, body, delayMs: slowMs }),
  },
  garbage('<html><body>Bad gateway</body></html>', 'a page of HTML'),
  garbage(''),
  garbage('null'),
  garbage('{}'),
  garbage('[]'),
  {
    mode: 'garbage',
    failure: 'answers half of its JSON',
    reply: (usual) => {
      const whole = Buffer.from(usual.body ?? '')
      const half = whole.subarray(0, Math.floor(whole.length / 2))
      return replyBody(half, { status: usual.status, headers: usual.headers })
    },
  },
]

/**
 * Repeats a case that allows while each host that it asks, and each private data that the policy reads, fails in each
 * way.
 *
 * @param slow a runner whose HTTP calls end after `slowLimits`
 */
export async function failOpenResults(
  each: PlacedCase,
  usual: CaseOutcome,
  given: {
    readonly runner: CaseRunner
    readonly slow: CaseRunner
    readonly privateFailures: readonly PrivateDataFailure[]
  },
): Promise<readonly FailOpenResult[]> {
  const { runner, slow, privateFailures } = given
  const results: FailOpenResult[] = []
  const accepts = (host: string, mode: FailureMode) =>
    each.allowsDespite?.[host]?.includes(mode) === true
  for (const host of usual.asked) {
    for (const { mode, failure, reply } of failures) {
      const outcome = await (mode === 'slow' ? slow : runner).run(each, { host, reply })
      results.push({
        ...{ kind: 'host', name: each.name, place: each.place, host, mode, failure, outcome },
        accepted: accepts(host, mode),
      })
    }
  }
  for (const { source, mode, failure, apply } of privateFailures) {
    const outcome = await runner.run(each, undefined, apply)
    results.push({
      ...{
        kind: 'private data',
        name: each.name,
        place: each.place,
        host: source,
        mode,
        failure,
        outcome,
      },
      accepted: accepts(source, mode),
    })
  }
  return results
}

export const isFailOpen = ({ outcome, accepted }: FailOpenResult): boolean =>
  outcome.decision === 'allow' && !accepted
