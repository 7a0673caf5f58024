import type { Capability, Check } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { type KeyName, keyVariable } from '../core/exchange.ts'
import { nearest } from '../core/select.ts'
import type { Target } from '../core/target.ts'
import { readJson } from '../wire/readText.ts'
import { openUpdateSocket } from '../wire/updateSocket.ts'
import { readOnlyReason } from './limits.ts'
import { receiverUrl, updatesUrl } from './places.ts'
import { otherNetworks } from './target.ts'

/** Missing capabilities, each with the reason; all others are available. */
export type Missing = Readonly<Record<string, string>>

type Fetch = typeof fetch

function messageOf(error: unknown) {
  const cause = error instanceof Error ? (error.cause as Error | undefined) : undefined
  return cause?.message || (error instanceof Error ? error.message : String(error))
}

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
      `no answer from ${target.gatewayUrl}/rpc: ${messageOf(cause)}`,
      'Start it with npm start, or check the address.',
      cause,
    )
  }
}

async function chainCall(fetch: Fetch, url: string, method: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    signal: AbortSignal.timeout(10_000),
  })
  const body = (await readJson(response)) as
    | { result?: unknown; error?: { message?: string } }
    | undefined
  if (body === undefined) throw new Error('it does not answer with JSON')
  if (body.error !== undefined) throw new Error(body.error.message ?? 'error')
  return body.result
}

async function probeSocket(target: Target): Promise<string | undefined> {
  const key = target.keys.read
  if (key === undefined) return `set ${keyVariable('read')}`
  const url = updatesUrl(target)
  const opening = await openUpdateSocket({ url, headers: { authorization: `Bearer ${key}` } })
  if (opening.kind === 'open') {
    await opening.socket.close()
    return undefined
  }
  const why = opening.kind === 'refused' ? `HTTP ${opening.status}` : opening.reason
  return `no WebSocket at ${url} (${why}): set updatesUrl in the target file`
}

/** Any HTTP response means that it is there: checks judge the content. */
async function probeExplorer({ explorerUrl }: Target, fetch: Fetch) {
  if (explorerUrl === undefined)
    return 'the target has no explorer: set SVC_EXPLORER_URL, --explorer-url, or explorerUrl in the target file'
  try {
    await fetch(`${explorerUrl}/v1/task`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    return undefined
  } catch (error) {
    return `no answer from ${explorerUrl}/v1/task: ${messageOf(error)}`
  }
}

/** Paths that the control listener serves if it offers what a check needs. */
const controlPaths: Readonly<Partial<Record<Capability, string>>> = {
  'operator-control': '/operators',
  world: '/world',
  'limit-control': '/limits',
  'key-control': '/keys',
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
  const [kind, name = ''] = need.split(/:(.*)/s)
  if (kind === 'key')
    return target.keys[name as KeyName] ? undefined : `set ${keyVariable(name as KeyName)}`
  if (kind === 'client')
    return target.clients[name] ? undefined : `the target has no policy client '${name}'`
  if (need === 'sender')
    return target.accounts?.sender?.privateKey
      ? undefined
      : 'the target has no account to sign intents with'
  if (need === 'owner')
    return target.accounts?.owner?.privateKey
      ? undefined
      : 'the target has no private key of a policy client owner'
  if (need === 'stranger')
    return target.accounts?.stranger?.privateKey ? undefined : 'the target has no stranger account'
  if (need === 'provider')
    return target.accounts?.provider ? undefined : 'the target has no data provider account'
  if (need === 'identity-registry')
    return target.chain?.identityRegistry ? undefined : 'the target has no identity registry'
  if (need === 'confidential-registry')
    return target.chain?.confidentialDataRegistry
      ? undefined
      : 'the target has no confidential data registry'
  // Present unless the target file declares otherwise.
  if (need === 'envelope-form' || need === 'identity-signature-form') return undefined
  if (need === 'operators')
    return target.operators?.length ? undefined : 'the target lists no operators and stakes'
  if (need === 'fixture-host')
    return target.fixtureHostUrl ? undefined : 'the target has no host for oracle fixtures'
  const controlPath = controlPaths[need]
  if (controlPath !== undefined) {
    if (!target.controlUrl) return 'the target has no control listener'
    try {
      const response = await fetch(`${target.controlUrl}${controlPath}`, {
        signal: AbortSignal.timeout(5_000),
      })
      return response.ok ? undefined : `the control listener answered ${response.status}`
    } catch (error) {
      return `the control listener does not answer: ${messageOf(error)}`
    }
  }
  if (need === 'oracles') return undefined
  if (need === 'chaos')
    return target.chaosUrl
      ? undefined
      : 'no proxy between the gateway and its chain, operators and oracles: set chaosUrl'
  if (need === 'explorer') return probeExplorer(target, fetch)
  if (need === 'second-network')
    return otherNetworks(target).length > 0
      ? undefined
      : 'the target has no other network that its explorer shows'
  if (need === 'websocket') return probeSocket(target)
  if (need === 'webhook-receiver')
    return receiverUrl(target, 0) === undefined
      ? 'the gateway cannot reach loopback: set webhookReceiver in the target file'
      : undefined
  const rpcUrl = target.chain?.rpcUrl
  if (rpcUrl === undefined) return 'the target has no RPC URL of its chain'
  try {
    if (need === 'chain:dev') await chainCall(fetch, rpcUrl, 'anvil_nodeInfo')
    else {
      const id = Number(await chainCall(fetch, rpcUrl, 'eth_chainId'))
      if (id !== target.chain?.chainId) return `the node is on chain ${id}`
    }
    return undefined
  } catch (error) {
    return `the node of the chain: ${messageOf(error)}`
  }
}

/** Probes every capability that the checks need, once. A waiver that no check needs is an error. */
export async function probeCapabilities(
  checks: readonly Check[],
  target: Target,
  fetch: Fetch,
): Promise<{ readonly found: readonly string[]; readonly missing: Missing }> {
  const needs = [...new Set(checks.flatMap((check) => check.needs))].sort()
  for (const waived of Object.keys(target.notApplicable))
    if (!needs.some((need) => need === waived))
      throw new CannotRun(
        `notApplicable names '${waived}', which no check needs`,
        `Did you mean '${nearest(waived, needs)}'?`,
      )
  const reasons = await Promise.all(
    needs.map(async (need) => [need, await probe(need, target, fetch)] as const),
  )
  const missing = Object.fromEntries(
    reasons.flatMap(([need, reason]) => (reason === undefined ? [] : [[need, reason]])),
  )
  for (const waived of Object.keys(target.notApplicable))
    missing[waived] ??= 'declared as not applicable'
  return { found: needs.filter((need) => missing[need] === undefined), missing }
}
