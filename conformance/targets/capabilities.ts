import { type Capability, type Check, declaredCapabilities } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { type KeyName, keyVariable } from '../core/exchange.ts'
import { nearest } from '../core/select.ts'
import type { Target } from '../core/target.ts'
import { hintFor, whyUnanswered } from '../core/unanswered.ts'
import { openUpdateSocket } from '../wire/updateSocket.ts'
import { probeBlockTime } from './blockTime.ts'
import { chainCall } from './chainCall.ts'
import { readOnlyReason } from './limits.ts'
import { receiverUrl, updatesUrl } from './places.ts'
import { otherNetworks } from './target.ts'
import { lackingText } from './targetLine.ts'

/** Missing capabilities, each with the reason; all others are available. */
export type Missing = Readonly<Record<string, string>>

type Fetch = typeof fetch

/** Reachable means that something answers over HTTP. Throws `CannotRun` if nothing does. */
export async function expectReachable(target: Target, fetch: Fetch): Promise<void> {
  try {
    await fetch(`${target.gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
  } catch (cause) {
    throw new CannotRun(
      `no answer from ${target.gatewayUrl}/rpc: ${whyUnanswered(cause).text}`,
      hintFor(cause, 'Start it, or check the address.'),
      cause,
    )
  }
}

async function probeSocket(target: Target): Promise<string | undefined> {
  const key = target.keys.read
  if (key === undefined)
    return lackingText(`set ${keyVariable('read')} in the environment`, 'key:read', target)
  const url = updatesUrl(target)
  const opening = await openUpdateSocket({ url, headers: { authorization: `Bearer ${key}` } })
  if (opening.kind === 'open') {
    await opening.socket.close()
    return undefined
  }
  const why = opening.kind === 'refused' ? `HTTP ${opening.status}` : opening.reason
  return lackingText(`no WebSocket at ${url} (${why})`, 'websocket', target)
}

/** Any HTTP response means that it is there: checks judge the content. */
async function probeExplorer(target: Target, fetch: Fetch) {
  const { explorerUrl } = target
  if (explorerUrl === undefined)
    return lackingText(
      'the target has no explorer: set SVC_EXPLORER_URL or --explorer-url',
      'explorer',
      target,
    )
  try {
    await fetch(`${explorerUrl}/v1/task`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    return undefined
  } catch (error) {
    return `no answer from ${explorerUrl}/v1/task: ${whyUnanswered(error).text}`
  }
}

/** Paths that the control listener serves if it offers what a check needs. */
const controlPaths: Readonly<Partial<Record<Capability, string>>> = {
  'operator-control': '/operators',
  world: '/world',
  'limit-control': '/limits',
  'key-control': '/keys',
}

type StaticNeed = { readonly lacks: string; readonly has: (target: Target) => boolean }

const account = (name: 'sender' | 'owner' | 'stranger', lacks: string): StaticNeed => ({
  lacks,
  has: ({ accounts }) => Boolean(accounts?.[name]?.privateKey),
})

/** Needs that only the description of the target decides. */
const staticNeeds: Readonly<Partial<Record<Capability, StaticNeed>>> = {
  sender: account('sender', 'the target has no account to sign intents with'),
  owner: account('owner', 'the target has no private key of a policy client owner'),
  stranger: account('stranger', 'the target has no stranger account'),
  provider: {
    lacks: 'the target has no data provider account',
    has: ({ accounts }) => accounts?.provider !== undefined,
  },
  'identity-registry': {
    lacks: 'the target has no identity registry',
    has: ({ chain }) => Boolean(chain?.identityRegistry),
  },
  'confidential-registry': {
    lacks: 'the target has no confidential data registry',
    has: ({ chain }) => Boolean(chain?.confidentialDataRegistry),
  },
  operators: {
    lacks: 'the target lists no operators and stakes',
    has: ({ operators }) => Boolean(operators?.length),
  },
  'fixture-host': {
    lacks: 'the target has no host for oracle fixtures',
    has: ({ fixtureHostUrl }) => Boolean(fixtureHostUrl),
  },
  chaos: {
    lacks: 'no proxy between the gateway and its chain, operators and oracles',
    has: ({ chaosUrl }) => Boolean(chaosUrl),
  },
  'second-network': {
    lacks: 'the target has no other network that its explorer shows',
    has: (target) => otherNetworks(target).length > 0,
  },
  'webhook-receiver': {
    lacks: 'the gateway cannot reach loopback',
    has: (target) => receiverUrl(target, 0) !== undefined,
  },
}

/** Capabilities needed only for writing. */
const writingNeeds: readonly Capability[] = [
  'owner',
  'stranger',
  'provider',
  'chain:dev',
  'operator-control',
  'world',
  'limit-control',
  'key-control',
  'chaos',
  'webhook-receiver',
]

/** Why the capability is missing, or undefined if it is available. */
async function probe(need: Capability, target: Target, fetch: Fetch): Promise<string | undefined> {
  if (target.limits?.readOnly && writingNeeds.includes(need))
    return readOnlyReason('is needed to write')
  if (declaredCapabilities.some((declared) => declared === need)) return undefined
  const [kind, name = ''] = need.split(/:(.*)/s)
  const lack = (what: string) => lackingText(what, need, target)
  if (kind === 'key')
    return target.keys[name as KeyName]
      ? undefined
      : lack(`set ${keyVariable(name as KeyName)} in the environment`)
  if (kind === 'client')
    return target.clients[name] ? undefined : lack(`the target has no policy client '${name}'`)
  const statically = staticNeeds[need]
  if (statically !== undefined) return statically.has(target) ? undefined : lack(statically.lacks)
  const controlPath = controlPaths[need]
  if (controlPath !== undefined) {
    if (!target.controlUrl) return lack('the target has no control listener')
    try {
      const response = await fetch(`${target.controlUrl}${controlPath}`, {
        signal: AbortSignal.timeout(5_000),
      })
      return response.ok ? undefined : `the control listener answered ${response.status}`
    } catch (error) {
      return `the control listener does not answer: ${whyUnanswered(error).text}`
    }
  }
  if (need === 'explorer') return probeExplorer(target, fetch)
  if (need === 'websocket') return probeSocket(target)
  const rpcUrl = target.chain?.rpcUrl
  if (rpcUrl === undefined) return lack('the target has no RPC URL of its chain')
  try {
    if (need === 'chain:dev') await chainCall(fetch, rpcUrl, 'anvil_nodeInfo')
    else {
      const id = Number(await chainCall(fetch, rpcUrl, 'eth_chainId'))
      if (id !== target.chain?.chainId) return `the node is on chain ${id}`
    }
    return undefined
  } catch (error) {
    return `the node of the chain: ${whyUnanswered(error).text}`
  }
}

type Needing = Pick<Check, 'needs'>

const needsOf = (checks: readonly Needing[]) =>
  [...new Set(checks.flatMap((check) => check.needs))].sort()

/**
 * Probes every capability that the checks need, once; where some are given, only those. A waiver that
 * no check needs is an error. With them comes the time between blocks: see `probeBlockTime`.
 */
export async function probeCapabilities(
  checks: readonly Needing[],
  target: Target,
  fetch: Fetch,
  only?: readonly Capability[],
): Promise<{
  readonly found: readonly string[]
  readonly missing: Missing
  readonly blockMs: number
}> {
  const all = needsOf(checks)
  const needs = only === undefined ? all : all.filter((need) => only.includes(need))
  for (const waived of Object.keys(target.notApplicable))
    if (!all.some((need) => need === waived))
      throw new CannotRun(
        `notApplicable names '${waived}', which no check needs`,
        `Did you mean '${nearest(waived, all)}'?`,
      )
  const [blockMs, ...reasons] = await Promise.all([
    probeBlockTime(target, fetch),
    ...needs.map(async (need) => [need, await probe(need, target, fetch)] as const),
  ])
  const missing = Object.fromEntries(
    reasons.flatMap(([need, reason]) => (reason === undefined ? [] : [[need, reason]])),
  )
  for (const waived of Object.keys(target.notApplicable))
    if (needs.some((need) => need === waived)) missing[waived] ??= 'declared as not applicable'
  return { found: needs.filter((need) => missing[need] === undefined), missing, blockMs }
}
