import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { PublicClient } from 'viem'
import type { Target } from '../targets/target.ts'
import type { Answer } from '../wire/answer.ts'
import type { Exchange } from '../wire/exchange.ts'
import { createExplorer, type Explorer } from '../wire/explorer.ts'
import { createGateway, type Gateway } from '../wire/gateway.ts'
import type { Check } from './check.ts'
import { Untestable } from './conformanceError.ts'
import { createEvidence, type EvidenceKeeper, type Seen } from './evidence.ts'
import { derivedSeed } from './seed.ts'
import { seenBlocks } from './seenBlocks.ts'
import type { Session } from './session.ts'

/** The tools of a check. */
export type CheckContext = {
  readonly target: Target
  readonly gateway: Gateway
  /** Throws `Untestable` if the target has none. */
  readonly explorer: () => Explorer
  readonly fetch: typeof fetch
  /**
   * Waits for the rate limit for a request not sent through `fetch`, such as the opening of a
   * WebSocket.
   */
  readonly turn: () => Promise<void>
  /** A client of the target's chain. Throws `Untestable` if none is known. */
  readonly chain: () => PublicClient
  /** A deployed policy client by the name of its fixture. */
  readonly client: (fixture: string) => StackDescription['clients'][string]
  /** 32 bits, derived from the run's seed, the check's id and the name of the use. */
  readonly seed: (use?: string) => number
  /** Number of runs of a property at this level of effort. */
  readonly runs: (atLevelOne: number) => number
  /** Runs the valid request from which the refused one differs in one member. */
  readonly twin: <T>(run: () => Promise<T>) => Promise<T>
  /** Runs something once per run for all checks that name it, such as one accepted task. */
  readonly once: <T>(name: string, make: (gateway: Gateway) => Promise<T>) => Promise<T>
  /** Names of secrets found in responses of this run. */
  readonly leaks: () => readonly string[]
  /** Scans text that is not a response, such as a frame, for secrets too. */
  readonly heard: (text: string) => void
  /**
   * Records what was seen on a surface other than a response for the report: a frame, a webhook, a
   * block. `at` is a `performance.now()` time; now by default.
   */
  readonly saw: (seen: Seen, at?: number) => void
  /** Called by a property for its cases, so that evidence of the smallest failing one is kept. */
  readonly cases: { readonly begins: () => void; readonly failed: () => void }
  /** From here on no response of the run may contain this value, plain, as hex or as base64. */
  readonly guard: (name: string, value: string) => void
  /** How this target behaves on an open point: reported, never judged. */
  readonly observe: (text: string) => void
}

/** What a check did, for its report. */
export type Trace = {
  readonly evidence: EvidenceKeeper
  observations: string[]
  twin: 'not run' | 'refused' | 'accepted'
  last: Exchange | undefined
  /** Values that must not appear in a report: keys that the check created, and leaked secrets. */
  readonly secrets: Map<string, string>
}

/** A value guarded under such a name is an API key. */
const isKey = (name: string) => name.startsWith('SVC_')

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
    if (exchange.status === 401 || exchange.status === 403) trace.refused++
    trace.last = exchange
    trace.evidence.add({ kind: 'exchange', ...exchange }, session.since() - exchange.ms)
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
        trace.evidence.add({ kind: 'block', number }, session.since()),
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
      const value = await run()
      trace.twin = 'accepted'
      return value
    },
    once: async (name, make) => {
      const value = await session.once(name, () => make(gateway))
      const exchange = (value as Partial<Answer> | undefined)?.exchange
      if (exchange !== undefined) trace.last = exchange
      return value
    },
    leaks: () => [...session.leaks],
    heard: (text) => heard(text),
    saw: (seen, at) => trace.evidence.add(seen, session.since(at)),
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
