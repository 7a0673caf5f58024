import { AsyncLocalStorage } from 'node:async_hooks'
import type { PublicClient } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import type { Evidence, MatrixCases, Phase } from '../core/events.ts'
import type { Exchange } from '../core/exchange.ts'
import { derivedSeed } from '../core/seed.ts'
import type { Unanswered } from '../core/unanswered.ts'
import { lacking } from '../targets/targetLine.ts'
import { createExplorer } from '../wire/explorer.ts'
import { createGateway } from '../wire/gateway.ts'
import { createEvidence, type EvidenceRecorder } from './evidence.ts'
import { seenBlocks } from './seenBlocks.ts'
import type { Session } from './session.ts'

/** A request that a failure may be about; what was kept of it is absent for a shared one. */
export type Subject = {
  readonly request: Exchange['request']
  readonly evidence?: Evidence
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
  /** The last request without an answer. */
  missed: Unanswered | undefined
  /** A `performance.now()` time: when the last answer arrived. */
  answeredAt: number | undefined
  /** What the answers waited for blocks at most, milliseconds. */
  blockWaitsMs: number
  /** Cases of the parameter matrix. */
  matrix: MatrixCases | undefined
  /** Values that must not appear in a report: keys that the check created, and leaked secrets. */
  readonly secrets: Map<string, string>
}

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
    missed: undefined as Unanswered | undefined,
    answeredAt: undefined as number | undefined,
    blockWaitsMs: 0,
    matrix: undefined as MatrixCases | undefined,
    secrets: new Map<string, string>(),
    total: 0,
    refused: 0,
  }
  const heard = (text: string, said = '') => {
    // A caller's own request body may be echoed back to it.
    for (const [value, name] of session.guarded) {
      if (!text.includes(value) || (said.includes(value) && !isKey(name))) continue
      trace.secrets.set(value, name)
      if (!said.includes(value) && !session.leaks.has(name)) session.tell({ leaked: [name] })
    }
  }
  const saw = (exchange: Exchange) => {
    heard(exchange.body, exchange.request.body)
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
  }
  const subjectOf = new WeakMap<Exchange, Subject>()
  const setSubject = (subject: Subject, phase: Phase | undefined) => {
    if (phase !== 'cleanup') trace.subjects[phase ?? 'main'] = subject
  }
  const read = (exchange: Exchange) => {
    const subject = subjectOf.get(exchange)
    if (subject !== undefined) setSubject(subject, subject.evidence?.phase)
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
    seed: (use = '') => derivedSeed(session.seed, check.id, use),
    runs: (atLevelOne) => session.pace.runs(Math.max(1, Math.round(atLevelOne * session.effort))),
    latencyMs: session.pace.latencyMs,
    patienceMs: session.pace.patienceMs,
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
      const value = await session.once(name, () => make(gateway))
      const exchange = (value as Partial<Answer> | undefined)?.exchange
      // Sent by the first check that asked; the others judge its answer too.
      if (exchange !== undefined && !subjectOf.has(exchange))
        setSubject({ request: exchange.request }, phases.getStore())
      return value
    },
    leaks: () => [...session.leaks],
    heard: (text) => heard(text),
    saw: (seen, at) => {
      trace.evidence.add(seen, session.since(at), phases.getStore())
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
    guard: (name, value) => {
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
