import { AsyncLocalStorage } from 'node:async_hooks'
import type { PublicClient } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import type { Phase } from '../core/events.ts'
import type { Exchange } from '../core/exchange.ts'
import { derivedSeed } from '../core/seed.ts'
import { createExplorer } from '../wire/explorer.ts'
import { createGateway } from '../wire/gateway.ts'
import { createEvidence, type EvidenceRecorder } from './evidence.ts'
import { seenBlocks } from './seenBlocks.ts'
import type { Session } from './session.ts'

/** What a check did, for its report. */
export type Trace = {
  readonly evidence: EvidenceRecorder
  observations: string[]
  twin: 'not run' | 'refused' | 'accepted'
  last: Exchange | undefined
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
    last: undefined as Exchange | undefined,
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
    if (exchange.status === 401 || exchange.status === 403) trace.refused++
    const phase = phases.getStore()
    if (phase !== 'cleanup') trace.last = exchange
    trace.evidence.add({ kind: 'exchange', ...exchange }, session.since() - exchange.ms, phase)
  }
  const { target } = session
  const gateway = createGateway(
    { baseUrl: target.gatewayUrl, keys: target.keys, fetch: session.fetch },
    target.brand,
    saw,
  )
  const explorer = () => {
    const { explorerUrl, explorerNetwork, brand, keys } = target
    if (explorerUrl === undefined) throw new Untestable('the target has no explorer')
    const transport = { baseUrl: explorerUrl, keys, fetch: session.fetch }
    return createExplorer(transport, brand, explorerNetwork, saw)
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
      if (client === undefined) throw new Untestable(`no policy client runs fixture '${fixture}'`)
      return client
    },
    seed: (use = '') => derivedSeed(session.seed, check.id, use),
    runs: (atLevelOne) => session.pace.runs(Math.max(1, Math.round(atLevelOne * session.effort))),
    latencyMs: session.pace.latencyMs,
    twin: async (run) => {
      trace.twin = 'refused'
      const value = await phases.run('twin', run)
      trace.twin = 'accepted'
      return value
    },
    cleanup: (run) => phases.run('cleanup', run),
    once: async (name, make) => {
      const value = await session.once(name, () => make(gateway))
      const exchange = (value as Partial<Answer> | undefined)?.exchange
      if (exchange !== undefined) trace.last = exchange
      return value
    },
    leaks: () => [...session.leaks],
    heard: (text) => heard(text),
    saw: (seen, at) => trace.evidence.add(seen, session.since(at), phases.getStore()),
    cases: { begins: trace.evidence.caseBegins, failed: trace.evidence.caseFailed },
    guard: (name, value) => {
      const bytes = Buffer.from(value)
      const forms = [value, bytes.toString('hex'), bytes.toString('base64')]
      if (isKey(name)) trace.secrets.set(value, name)
      session.tell({ guarded: forms.map((form) => [form, name]) })
    },
    observe: (text) => trace.observations.push(text),
    expectation: (point) => session.expectationOf?.(check.id, point),
  }
  return { context, trace }
}
