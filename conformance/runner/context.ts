import { AsyncLocalStorage } from 'node:async_hooks'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { PublicClient } from 'viem'
import type { Target } from '../targets/target.ts'
import type { Answer } from '../wire/answer.ts'
import type { Exchange } from '../wire/exchange.ts'
import { createExplorer, type Explorer } from '../wire/explorer.ts'
import { createGateway, type Gateway } from '../wire/gateway.ts'
import type { Check } from './check.ts'
import { Untestable } from './conformanceError.ts'
import type { Phase } from './events.ts'
import { createEvidence, type EvidenceKeeper, type Seen } from './evidence.ts'
import { derivedSeed } from './seed.ts'
import { seenBlocks } from './seenBlocks.ts'
import type { Session } from './session.ts'

/** What a check is given to ask with. */
export type CheckContext = {
  readonly target: Target
  readonly gateway: Gateway
  /** Throws `Untestable` where the target has none. */
  readonly explorer: () => Explorer
  readonly fetch: typeof fetch
  /** Takes the turn of a request that `fetch` does not send, such as the opening of a WebSocket. */
  readonly turn: () => Promise<void>
  /** A client of the target's chain. Throws `Untestable` where none is known. */
  readonly chain: () => PublicClient
  /** A deployed policy client by the name of its fixture. */
  readonly client: (fixture: string) => StackDescription['clients'][string]
  /** 32 bits, a function of the run's seed, the check's id and the name of the use. */
  readonly seed: (use?: string) => number
  /** How often a property is run at this level of effort. */
  readonly runs: (atLevelOne: number) => number
  /** Runs the valid request from which the refused one will differ in one member. */
  readonly twin: <T>(run: () => Promise<T>) => Promise<T>
  /** Runs requests that only undo what the check did: reports do not show them as its subject. */
  readonly cleanup: <T>(run: () => Promise<T>) => Promise<T>
  /** Runs something once in a run for all checks that name it, such as one accepted task. */
  readonly once: <T>(name: string, make: (gateway: Gateway) => Promise<T>) => Promise<T>
  /** Names of secrets that any answer of this run has held. */
  readonly leaks: () => readonly string[]
  /** Takes what came by another way than an answer, such as a frame: it may hold a secret too. */
  readonly heard: (text: string) => void
  /**
   * Keeps something that was seen on another surface than an answer for the report: a frame, a
   * webhook, a block. `at` as `performance.now()` told it; now by default.
   */
  readonly saw: (seen: Seen, at?: number) => void
  /** A property tells of its cases, so that what was seen of the smallest that failed is kept. */
  readonly cases: { readonly begins: () => void; readonly failed: () => void }
  /** From here on no answer of the run may hold this value, plain, as hex or as base64. */
  readonly guard: (name: string, value: string) => void
  /** What an open point turned out to be on this target: reported, never judged. */
  readonly observe: (text: string) => void
}

/** What a check did, for its report. */
export type Trace = {
  readonly evidence: EvidenceKeeper
  observations: string[]
  twin: 'not run' | 'refused' | 'accepted'
  last: Exchange | undefined
  /** Values that no report may hold: keys that the check made, and whatever an answer gave away. */
  readonly secrets: Map<string, string>
}

/** Guarded under such a name is a key that opens something, whoever holds it. */
const isKey = (name: string) => name.startsWith('SVC_')

/** The phase that the current asynchronous call belongs to. */
const phases = new AsyncLocalStorage<Phase>()

export const createContext = (
  session: Session,
  check: Check,
): {
  readonly context: CheckContext
  readonly trace: Trace & { total: number; refused: number }
} => {
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
    // What a caller put into a body of its own may be quoted back at him.
    for (const [value, name] of session.guarded) {
      if (!text.includes(value) || (said.includes(value) && !isKey(name))) continue
      trace.secrets.set(value, name)
      if (!said.includes(value) && !session.leaks.has(name)) session.tell({ leaked: [name] })
    }
  }
  const saw = (exchange: Exchange) => {
    heard(exchange.body, exchange.request.body)
    trace.total++
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
    if (explorerUrl === undefined) throw new Untestable('the target names no explorer')
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
    runs: (atLevelOne) => Math.max(1, Math.round(atLevelOne * session.effort)),
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
  }
  return { context, trace }
}
