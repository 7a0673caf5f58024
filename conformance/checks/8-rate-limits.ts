import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import { TooLate } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectThat } from '../core/expect.ts'
import { expectResult } from '../kit/assertions/expectAnswer.ts'
import { observed } from '../kit/assertions/observed.ts'
import { type LimitsChange, underLimits } from '../kit/scenarios/limits.ts'
import { type CallKey, withOwnKey } from '../kit/scenarios/ownKey.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { expectPublicKey, failureOf, publicKey } from '../kit/scenarios/requests.ts'
import { expectOracleRun } from '../kit/scenarios/secrets.ts'
import { simulatePolicyDataSubject } from '../kit/scenarios/secretsSubjects.ts'

/** Sections 7.4 and 8: callers with too many requests. */
const burst = 5

/** `patient`: sent again after a 429, as earlier requests may count (clause 8-11). */
type Call = (t: CheckContext, key?: CallKey, patient?: 'patient') => Promise<Answer>

const getKey: Call = (t, key = 'read', patient?) =>
  t.gateway.call('getSecretsPublicKey', {}, { key, patient: patient !== undefined })

const simulate: Call = async (t, key = 'read', patient?) =>
  t.gateway.call('simulatePolicyData', await simulatePolicyDataSubject.params(t), {
    key,
    patient: patient !== undefined,
  })

const underLimitsAlone = (
  t: CheckContext,
  change: LimitsChange,
  run: (key: CallKey) => Promise<void>,
) => withOwnKey(t, (key) => underLimits(t, change, () => run(key)))

/** At once: one after the other, requests to a distant gateway never exceed a rate. */
const callsAtOnce = (t: CheckContext, call: Call, key: CallKey, count: number) =>
  Promise.all(Array.from({ length: count }, () => call(t, key)))

const limitedAnswers = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status === 429)

/** The Retry-After seconds of a limited response, if any. */
function retryAfter(answer: Answer): number | undefined {
  const value = answer.exchange.headers['retry-after']
  return value === undefined ? undefined : Number(value)
}

/** The refused calls. Calls that took so long that the limit was never exceeded prove nothing. */
function expectRefused(answers: readonly Answer[], tookMs: number, rate: Rate): readonly Answer[] {
  const refused = limitedAnswers(answers)
  if (refused.length === 0 && rate.burst + (rate.perSecond * tookMs) / 1000 >= answers.length)
    throw new TooLate(`${answers.length} calls at once took ${Math.round(tookMs)} ms`)
  expectThat(refused.length > 0, 'the answers past the limit', 'a 429 among them', 'none')
  return refused
}

/** A burst is accepted, further requests are limited; whether the other call is limited is open. */
const limited = (
  id: string,
  title: string,
  change: LimitsChange,
  call: Call,
  served: (answer: Answer) => unknown,
  clauses: readonly string[],
  needs: Check['needs'],
): Check => ({
  id,
  title,
  clauses: ['7.4-06', ...clauses],
  level: 'must',
  needs: [...needs, 'limit-control'],
  twin: 'the same request before the limit is reached',
  exclusive: true,
  run: async (t) => {
    served(await call(t, 'read', 'patient'))
    await underLimitsAlone(t, change, async (key) => {
      const first = await call(t, key, 'patient')
      const begun = performance.now()
      const answers = [first, ...(await callsAtOnce(t, call, key, 4 * burst - 1))]
      const tookMs = performance.now() - begun
      await t.twin(async () => served(first))
      const refused = expectRefused(answers, tookMs, slow)
      for (const answer of refused) {
        const failure = failureOf(answer)
        expectThat(failure !== undefined, 'the body of a 429', 'no success', answer.exchange.body)
      }
      const others = answers.filter(({ status }) => status !== 429)
      for (const answer of others) served(answer)
      t.observe(`${others.length} of ${answers.length} were accepted; ${failureOf(refused[0]!)}`)
    })
    served(await call(t, 'read', 'patient'))
  },
})

type Rate = { readonly perSecond: number; readonly burst: number }

const slow: Rate = { perSecond: 1, burst }
/** The same, refilled within a second. */
const soonOver: Rate = { perSecond: burst, burst }

export const rateLimits: readonly Check[] = [
  limited(
    // 7.4-06: 429 when the rate is limited.
    // 8-09: Rates are limited: a caller over the limit receives HTTP 429.
    'rpc.rate-limit.per-key',
    'a key that exceeds its rate limit gets 429',
    { perKey: slow },
    getKey,
    expectResult,
    ['8-09'],
    ['key:read'],
  ),
  limited(
    // 7.4-06: 429 when the rate is limited.
    // 8-09: Rates are limited: a caller over the limit receives HTTP 429.
    // 8-10: The rate of simulatePolicyData is limited.
    'rpc.rate-limit.simulatePolicyData',
    'simulatePolicyData is rate limited, with 429',
    { perMethod: { simulatePolicyData: slow } },
    simulate,
    expectOracleRun,
    ['8-09', '8-10'],
    simulatePolicyDataSubject.needs,
  ),
  {
    // 8-16: A 429 says when to retry, and a retry then is accepted.
    id: 'rpc.rate-limit.retry-after',
    title: 'a rate limited response says when to retry, and the retry succeeds',
    clauses: ['8-16'],
    level: 'should',
    needs: ['key:read', 'limit-control'],
    exclusive: true,
    run: async (t) => {
      await underLimitsAlone(t, { perKey: soonOver }, async (key) => {
        expectResult(await getKey(t, key, 'patient'))
        const begun = performance.now()
        const answers = await callsAtOnce(t, getKey, key, 8 * burst)
        const [answer] = expectRefused(answers, performance.now() - begun, soonOver)
        const seconds = retryAfter(answer!)
        expectThat(
          Number.isInteger(seconds) && seconds! >= 1 && seconds! <= 60,
          'Retry-After',
          'whole seconds, at least one',
          answer!.exchange.headers['retry-after'],
        )
        await pause(seconds! * 1000 + 200)
        expectResult(await getKey(t, key))
      })
    },
  },
  {
    // 8-11: The numbers of the rate limits.
    id: 'rpc.rate-limit.observed.others',
    title: 'observed: whether the limit of one key or method affects others',
    clauses: ['8-11'],
    level: 'may',
    needs: [...simulatePolicyDataSubject.needs, 'limit-control'],
    exclusive: true,
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      await underLimitsAlone(t, { perKey: slow }, async (key) => {
        await callsAtOnce(t, getKey, key, 8 * burst)
        const { status } = await withOwnKey(t, (other) => getKey(t, other), 'stranger')
        observed(t, 'other-key', 'another key while one is limited', status)
      })
      await underLimitsAlone(t, { perMethod: { simulatePolicyData: slow } }, async (key) => {
        await callsAtOnce(t, simulate, key, 8 * burst)
        const { status } = await getKey(t, key)
        observed(t, 'other-method', 'another method while one is limited', status)
      })
    },
  },
  {
    // 8-11: The numbers of the rate limits.
    id: 'rpc.rate-limit.observed.numbers',
    title: 'observed: how many of a hundred quick requests are accepted',
    clauses: ['8-11'],
    level: 'may',
    needs: ['key:read'],
    exclusive: true,
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const started = performance.now()
      const answers = await Promise.all(Array.from({ length: 100 }, () => getKey(t)))
      const refused = limitedAnswers(answers)
      for (const answer of answers)
        if (answer.status !== 429)
          expectThat(answer.status === 200, 'the HTTP status', 200, answer.status)
      const ms = Math.round(performance.now() - started)
      const wait = refused[0] === undefined ? '' : `, Retry-After ${retryAfter(refused[0])}`
      t.observe(`100 requests in ${ms} ms: ${refused.length} limited${wait}`)
    },
  },
]
