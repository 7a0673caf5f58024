import { AsyncLocalStorage } from 'node:async_hooks'
import type { PublicClient } from 'viem'
import type { Answer } from '../core/answer.ts'
import { canaryOf, isCanary } from '../core/canary.ts'
import type { Check } from '../core/check.ts'
import { calledProfile, checkProfiles } from '../core/checkProfiles.ts'
import type { CheckContext } from '../core/context.ts'
import type { Evidence, MatrixCases, Phase, Received, Seen } from '../core/events.ts'
import type { Exchange } from '../core/exchange.ts'
import { SuiteFault } from '../core/failureText.ts'
import { receivedWords, requestWords, type SubjectWords } from '../core/subject.ts'
import type { Unanswered } from '../core/unanswered.ts'
import { lacking } from '../targets/targetLine.ts'
import { createExplorer } from '../wire/explorer.ts'
import { createGateway } from '../wire/gateway.ts'
import { createEvidence, type EvidenceRecorder } from './evidence.ts'
import { answerName, placeOf } from './leaks.ts'
import { seenBlocks } from './seenBlocks.ts'
import type { Session } from './session.ts'
import type { SharedWork } from './sharedWork.ts'

/** A request that a failure may be about; what was kept of it is absent for a shared one. */
export type Subject = {
  /** Absent where nothing was requested. */
  readonly request?: Exchange['request']
  readonly evidence?: Evidence
  /** What was received on another surface since. */
  readonly received?: SubjectWords
}

/** What a check did, for its report. */
export type Trace = {
  readonly evidence: EvidenceRecorder
  observations: string[]
  twin: 'not run' | 'refused' | 'accepted'
  /**
   * By phase, the request whose answer was judged or received last: what a failure is about. The
   * cleanup has none.
   */
  readonly subjects: { main?: Subject; twin?: Subject }
  /** That of the last failed case of a property: later cases may pass. */
  failedCase: Subject | undefined
  /** The first error of a cleanup. */
  cleanupError: unknown
  /** What other checks use too. */
  readonly shared: SharedWork[]
  /** The last request without an answer. */
  missed: Unanswered | undefined
  /** A `performance.now()` time: when the last answer arrived. */
  answeredAt: number | undefined
  /** It asked the node of the chain. */
  readsChain: boolean
  /** What the answers waited for blocks at most, milliseconds. */
  blockWaitsMs: number
  /** Cases of the parameter matrix. */
  matrix: MatrixCases | undefined
  /** Values that must not appear in a report: keys that the check created, and leaked canaries. */
  readonly secrets: Map<string, string>
}

/** A gateway that leaks does so in every answer. */
const mostLeaks = 20

/** A value guarded under such a name is an API key. */
const isKey = (name: string) => name.startsWith('SVC_')

/** The phase that the current asynchronous call belongs to. */
const phases = new AsyncLocalStorage<Phase>()

export function createContext(
  session: Session,
  check: Check,
): {
  readonly context: CheckContext
  readonly trace: Trace & { total: number; refused: number }
} {
  const trace = {
    evidence: createEvidence(),
    observations: [] as string[],
    twin: 'not run' as Trace['twin'],
    subjects: {} as Trace['subjects'],
    failedCase: undefined as Subject | undefined,
    cleanupError: undefined as unknown,
    shared: [] as SharedWork[],
    missed: undefined as Unanswered | undefined,
    answeredAt: undefined as number | undefined,
    readsChain: false,
    blockWaitsMs: 0,
    matrix: undefined as MatrixCases | undefined,
    secrets: new Map<string, string>(),
    total: 0,
    refused: 0,
  }
  const leaks = new Set<string>()
  const heard = (what: string, received: Received, said = '') => {
    const text = [received.body, ...Object.values(received.headers ?? {})].join('\n')
    // A caller's own request body may be echoed back to it.
    for (const [value, name] of session.guarded) {
      if (!text.includes(value) || (said.includes(value) && !isKey(name))) continue
      trace.secrets.set(value, name)
      if (said.includes(value)) continue
      const leak = `${name} in ${what}, ${placeOf(received, value)}`
      leaks.add(leak)
      if (!session.leaks.has(leak) && session.leaks.size < mostLeaks)
        session.tell({ leaked: [leak] })
    }
  }
  const ofCheck = checkProfiles(check)
  const isBound = check.own === undefined && !check.callsAny
  /** A target that does not claim the profile would fail the check for nothing. */
  const expectOwnProfile = ({ request: { body } }: Exchange) => {
    const called = calledProfile(body, target.brand.methodPrefix)
    if (isBound && called !== undefined && !ofCheck.includes(called))
      throw new SuiteFault(
        `${check.id} calls a method of ${called}, which is not one of its profiles`,
      )
  }
  const saw = (exchange: Exchange) => {
    heard(answerName(exchange), exchange, exchange.request.body)
    trace.total++
    session.pace.saw(exchange.ms)
    trace.blockWaitsMs += Math.min(exchange.ms, session.pace.blockMs)
    if (exchange.status === 401 || exchange.status === 403) trace.refused++
    const phase = phases.getStore()
    trace.answeredAt = performance.now()
    const at = session.since() - exchange.ms
    const evidence = trace.evidence.add({ kind: 'exchange', ...exchange }, at, phase)
    subjectOf.set(exchange, { request: exchange.request, evidence })
    read(exchange)
    expectOwnProfile(exchange)
  }
  const subjectOf = new WeakMap<Exchange, Subject>()
  const setSubject = (subject: Subject, phase: Phase | undefined) => {
    if (phase !== 'cleanup') trace.subjects[phase ?? 'main'] = subject
  }
  const read = (exchange: Exchange) => {
    const subject = subjectOf.get(exchange)
    if (subject !== undefined) setSubject(subject, subject.evidence?.phase)
  }
  let frame: string | undefined
  const received = (seen: Seen, phase: Phase | undefined) => {
    if (seen.kind === 'frame' && seen.from === 'suite') frame = seen.text
    else if (phase !== 'cleanup' && (seen.kind === 'frame' || seen.kind === 'webhook')) {
      const subject = trace.subjects[phase ?? 'main']
      const before = subject?.request && requestWords(subject.request)
      setSubject({ ...subject, received: receivedWords(seen, { frame, before }) }, phase)
    }
  }
  const missed = (error: Unanswered) => {
    const { request, ms, why } = error
    const phase = phases.getStore()
    const seen = { kind: 'unanswered', request, ms, why: why.text, accepted: why.accepted } as const
    const evidence = trace.evidence.add(seen, session.since() - ms, phase)
    setSubject({ request, evidence }, phase)
    trace.missed = error
  }
  const watch = { saw, read }
  const { target } = session
  const gateway = createGateway(
    { baseUrl: target.gatewayUrl, keys: target.keys, fetch: session.fetch, missed },
    target.brand,
    watch,
  )
  const explorer = () => {
    const { explorerUrl, explorerNetwork, brand, keys } = target
    if (explorerUrl === undefined) throw lacking('the target has no explorer', 'explorer', target)
    const transport = { baseUrl: explorerUrl, keys, fetch: session.fetch, missed }
    return createExplorer(transport, brand, explorerNetwork, watch)
  }
  let chain: PublicClient | undefined
  const context: CheckContext = {
    target,
    gateway,
    explorer,
    fetch: session.fetch,
    turn: () => session.limiter.turn(),
    chain: () => {
      trace.readsChain = true
      chain ??= seenBlocks(session.chain(), (number) =>
        trace.evidence.add({ kind: 'block', number }, session.since(), phases.getStore()),
      )
      return chain
    },
    client: (fixture) => {
      const client = target.clients[fixture]
      if (client === undefined)
        throw lacking(`no policy client runs fixture '${fixture}'`, `client:${fixture}`, target)
      return client
    },
    seed: session.seedOf(check.id),
    runs: (atLevelOne) => session.pace.runs(Math.max(1, Math.round(atLevelOne * session.effort))),
    latencyMs: session.pace.latencyMs,
    patienceMs: session.pace.patienceMs,
    overloaded: session.overloaded,
    twin: async (run) => {
      trace.twin = 'refused'
      const value = await phases.run('twin', run)
      trace.twin = 'accepted'
      return value
    },
    cleanup: async (run) => {
      try {
        return await phases.run('cleanup', run)
      } catch (error) {
        trace.cleanupError ??= error
        return undefined
      }
    },
    once: async (name, make) => {
      const work = session.shared.of(name, () => make(gateway))
      trace.shared.push(work)
      const value = (await work.value) as Awaited<ReturnType<typeof make>>
      const exchange = (value as Partial<Answer> | undefined)?.exchange
      // Sent by the first check that asked; the others judge its answer too.
      if (exchange !== undefined && !subjectOf.has(exchange))
        setSubject({ request: exchange.request }, phases.getStore())
      return value
    },
    leaks: () => [...leaks],
    leaksOfRun: () => [...session.leaks],
    heard: (what, received) => heard(what, received),
    saw: (seen, at) => {
      const phase = phases.getStore()
      trace.evidence.add(seen, session.since(at), phase)
      received(seen, phase)
    },
    fullMatrix: session.fullMatrix,
    covered: (cases) => {
      trace.matrix = cases
    },
    cases: {
      begins: trace.evidence.caseBegins,
      failed: () => {
        trace.failedCase = trace.subjects.main
        trace.evidence.caseFailed()
      },
    },
    canary: (use = '') => canaryOf(session.seed, check.id, use),
    guard: (name, value) => {
      if (!isKey(name) && !isCanary(value))
        throw new SuiteFault(`${name} is guarded, and an answer may contain its value by chance`)
      const bytes = Buffer.from(value)
      const forms = [value, bytes.toString('hex'), bytes.toString('base64')]
      if (isKey(name)) trace.secrets.set(value, name)
      session.tell({ guarded: forms.map((form) => [form, name]) })
    },
    hide: (name, value) => {
      trace.secrets.set(value, name)
    },
    observe: (text) => trace.observations.push(text),
    expectation: (point) => session.expectationOf?.(check.id, point),
  }
  return { context, trace }
}
