import { type Check, planned } from '../core/check.ts'
import { TooLate, Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import type { CheckFinished, OutageNotice } from '../core/events.ts'
import { failureText, findingOf, SuiteFault } from '../core/failureText.ts'
import { areExcepted } from '../core/profileProof.ts'
import { requestWords, type SubjectWords } from '../core/subject.ts'
import { chainOf, Unanswered } from '../core/unanswered.ts'
import { readOnlyReason } from '../targets/limits.ts'
import { curlOf } from '../wire/curl.ts'
import { redactJson, redactorOf } from '../wire/redact.ts'
import { createContext, type Subject, type Trace } from './context.ts'
import type { Session } from './session.ts'
import { CheckTimeout, isTimeout, ownLateness } from './timeouts.ts'

/** A check waits for its own results to be posted, after those of other checks. */
const blocksOfCheck = 40

/** Ends a check that takes longer than `limitMs`, which grows while the check runs. */
async function within<T>(limitMs: () => number, run: Promise<T>): Promise<T> {
  const begin = performance.now()
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      run,
      new Promise<never>((_, reject) => {
        const arm = () => {
          const left = begin + limitMs() - performance.now()
          timer = setTimeout(left > 1 ? arm : expire, Math.max(1, left))
        }
        const expire = () =>
          reject(
            new CheckTimeout('the check timed out', {
              expected: `completion within ${Math.round(limitMs() / 1000)} s`,
              observed: 'none',
            }),
          )
        arm()
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** Result of a check that did not run. */
export const nothingSeen = (at: number) => ({
  exchanges: 0,
  refusals: 0,
  at: Math.round(at),
  evidence: [],
  evidenceDropped: 0,
})

type FullTrace = ReturnType<typeof createContext>['trace']

function counterexampleOf(counterexample: string, { evidence }: Trace) {
  const failedCase = evidence.failedCase()
  return { counterexample, ...(failedCase === undefined ? {} : { failedCase }) }
}

/** A gateway may answer with megabytes, and a check may quote it: reports must stay readable. */
const longestText = 20_000
const longestList = 200

const shortened = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}... (${text.length} characters)` : text

function bounded(result: CheckFinished): CheckFinished {
  const texts = ['reason', 'expected', 'observed', 'counterexample'] as const
  const cut = texts.flatMap((name) => {
    const text = result[name]
    return text === undefined ? [] : [[name, shortened(text)]]
  })
  const { observations } = result
  return {
    ...result,
    ...Object.fromEntries(cut),
    ...(observations && { observations: observations.slice(0, longestList).map(shortened) }),
  }
}

/** Removes secrets that only the check knows; the log removes the target's own. */
const withoutSecrets = (result: CheckFinished, { secrets }: Trace): CheckFinished =>
  secrets.size === 0
    ? result
    : redactJson(result, redactorOf([...secrets].map(([value, name]) => [name, value])))

/** Runs one check and returns its result, redacted and bounded in length. Never throws. */
export async function executeCheck(check: Check, session: Session): Promise<CheckFinished> {
  const base = { type: 'check-finished' as const, ...planned(check) }
  const lacks = check.needs.filter((need) => session.missing[need] !== undefined)
  // What a profile cannot lack decides, and is the reason.
  const unmet = lacks.find((need) => !areExcepted([need])) ?? lacks[0]
  if (unmet !== undefined) {
    const waiver = session.target.notApplicable[unmet]
    const isCut = lacks.some(
      (need) => session.missing[need] === readOnlyReason('is needed to write'),
    )
    return {
      ...base,
      verdict: waiver === undefined ? 'untestable' : 'not-applicable',
      reason: waiver ?? `needs ${unmet}: ${session.missing[unmet]}`,
      lacks,
      ...(isCut ? { cut: 'read-only' as const } : {}),
      ms: 0,
      ...nothingSeen(session.since()),
    }
  }
  const spent = session.limiter.spent()
  if (spent !== undefined)
    return {
      ...base,
      verdict: 'untestable',
      reason: spent,
      cut: 'budget',
      ms: 0,
      ...nothingSeen(session.since()),
    }
  const why = await session.reachability.lostBefore()
  if (why !== undefined) {
    const at = Math.round(session.since())
    return { ...base, ...unreachable({ at, why }), ms: 0, ...nothingSeen(at) }
  }
  const { context, trace } = createContext(session, check)
  return bounded(withoutSecrets(await outcomeOf(check, session, context, trace), trace))
}

const unreachable = (outage: OutageNotice) => ({
  verdict: 'untestable' as const,
  reason: `the gateway stopped answering: ${outage.why}`,
  outage,
})

/** A failure that comes later than this after the last answer was found while waiting. */
const waitingMs = 1_000

/**
 * Whether the gateway is gone, and the check failed for that reason: it has a request without an
 * answer, or it waited for something. A failure that follows an answer was caused by that answer.
 */
async function outageOf(
  thrown: unknown,
  trace: FullTrace,
  session: Session,
): Promise<OutageNotice | undefined> {
  const now = performance.now()
  const missed = trace.missed ?? chainOf(thrown).find((each) => each instanceof Unanswered)
  const sent = missed !== undefined || trace.answeredAt !== undefined
  const waited = missed !== undefined || now - (trace.answeredAt ?? now) > waitingMs
  if (!sent || !waited) return undefined
  const why = await session.reachability.lost()
  return why === undefined ? undefined : { at: Math.round(session.since(now)), why }
}

/** The request that the outcome of a check is about. */
function subjectOf(thrown: unknown, trace: FullTrace): Subject | undefined {
  const missed = chainOf(thrown).find((each) => each instanceof Unanswered)
  if (missed !== undefined && missed !== trace.missed) return { request: missed.request }
  if (trace.twin === 'refused') return trace.subjects.twin
  return (thrown === undefined ? undefined : trace.failedCase) ?? trace.subjects.main
}

/** Of a check that had no exchange of its own, by the surface that its id begins with. */
const surfaceCalls: Readonly<Record<string, string>> = {
  ws: 'WebSocket /ws',
  explorer: 'GET /v1',
  webhook: 'webhook of POST /rpc',
}

/** What a failure is about, and what was sent. */
function wordsOf(id: string, subject: Subject | undefined, { readsChain }: Trace): SubjectWords {
  if (subject?.received !== undefined) return subject.received
  if (subject?.request !== undefined) return requestWords(subject.request)
  const call = readsChain ? 'the contracts on chain' : surfaceCalls[id.split('.')[0]!]
  return { call: call ?? 'POST /rpc', sent: 'nothing of its own' }
}

async function outcomeOf(
  check: Check,
  session: Session,
  context: CheckContext,
  trace: FullTrace,
): Promise<CheckFinished> {
  const base = { type: 'check-finished' as const, ...planned(check) }
  const started = performance.now()
  const at = Math.round(session.since())
  let thrown: unknown
  try {
    // Neither the target's latency nor its chain is the fault of a check: every exchange extends the limit.
    const { checkMs, pace } = session
    const limitMs = () =>
      pace.patienceMs(checkMs, blocksOfCheck) + trace.total * pace.latencyMs() + trace.blockWaitsMs
    await within(limitMs, check.run(context))
    if (check.twin !== undefined && trace.twin !== 'accepted')
      thrown = new SuiteFault('the check did not run its twin: it proves nothing')
  } catch (error) {
    thrown = error
  }
  if (trace.cleanupError !== undefined) {
    if (thrown !== undefined)
      trace.observations.push(`the cleanup failed too: ${failureText(trace.cleanupError)}`)
    thrown ??= trace.cleanupError
  }
  const subject = subjectOf(thrown, trace)
  const common = {
    ...base,
    ms: Math.round(performance.now() - started),
    exchanges: trace.total,
    refusals: trace.refused,
    at,
    evidence: trace.evidence
      .kept()
      .map((seen) => (seen === subject?.evidence ? { ...seen, subject: true as const } : seen)),
    evidenceDropped: trace.evidence.dropped(),
    ...(trace.matrix === undefined ? {} : { matrix: trace.matrix }),
    ...(trace.observations.length === 0 ? {} : { observations: trace.observations }),
    ...(check.twin === undefined || trace.twin === 'not run'
      ? {}
      : { twin: { name: check.twin, accepted: trace.twin === 'accepted' } }),
  }
  // Any outcome may be caused by a request that was not sent.
  const spentMeanwhile = session.limiter.spent()
  if (spentMeanwhile !== undefined)
    return {
      ...common,
      verdict: 'untestable',
      reason: `${spentMeanwhile} while it ran`,
      cut: 'budget',
    }
  if (thrown === undefined) return { ...common, verdict: 'passed' }
  const outage = await outageOf(thrown, trace, session)
  if (outage !== undefined) return { ...common, ...unreachable(outage) }
  if (thrown instanceof Untestable) {
    const { message: reason, lacks, cut } = thrown
    const isLate = thrown instanceof TooLate
    if (isLate) for (const work of trace.shared) session.shared.renew(work)
    return {
      ...common,
      verdict: 'untestable',
      reason,
      ...(lacks === undefined ? {} : { lacks: [lacks] }),
      ...(cut === undefined ? {} : { cut }),
      ...(isLate ? { overload: reason } : {}),
    }
  }
  const { gatewayUrl } = session.target
  const ms = Math.max(common.ms, ...trace.shared.map((work) => work.ms))
  const busy = isTimeout(thrown, { ms, gatewayUrl })
    ? (trace.shared.find(({ overload }) => overload !== undefined)?.overload ??
      session.overloaded() ??
      ownLateness(session.loop, started, performance.now()))
    : undefined
  if (busy !== undefined)
    return {
      ...common,
      verdict: 'untestable',
      reason: `${failureText(thrown)}, which proves nothing: ${busy}`,
      overload: busy,
    }
  const { reason, expected, observed, counterexample } = findingOf(thrown)
  return {
    ...common,
    verdict: 'failed',
    reason,
    ...wordsOf(check.id, subject, trace),
    expected,
    observed,
    ...(counterexample === undefined ? {} : counterexampleOf(counterexample, trace)),
    ...(subject?.request === undefined ? {} : { curl: curlOf(subject.request) }),
  }
}
