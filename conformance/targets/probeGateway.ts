import { type Brand, defaultBrand, wireBrand } from 'polgate-protocol/brand.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { hintFor, whyUnanswered } from '../core/unanswered.ts'
import { type Profile, profiles, withDependencies } from '../register/profiles.ts'
import { readJson } from '../wire/readText.ts'
import { type Opening, openUpdateSocket } from '../wire/updateSocket.ts'
import { updatesUrl } from './places.ts'
import { unservedProfiles } from './servedProfiles.ts'
import { targetOf } from './url.ts'

/** What a gateway publicly reveals. */
export type Found = {
  readonly gatewayUrl: string
  readonly brand: Brand
  /** Undefined if there is no WebSocket at `/ws`. */
  readonly updatesUrl: string | undefined
  readonly explorerUrl: string | undefined
  /** Without those of which it does not know a method, or has no surface. */
  readonly profiles: readonly Profile[]
  /** Description of a local stack at this address. */
  readonly stack: StackDescription | undefined
  /** Observations, one per line. */
  readonly notes: readonly string[]
}

type OracleData = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fetch: typeof fetch
  readonly stack?: StackDescription | undefined
}

const within = 10_000

/** The prefix of its methods, from the document that `rpc.discover` returns (decision E11). */
async function prefixOf(url: string, key: string | undefined, { fetch }: OracleData) {
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'rpc.discover', id: 'init' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(within),
  })
  const body = (await readJson(response).catch(() => undefined)) as
    | { result?: { methods?: { name?: unknown }[] } }
    | undefined
  const names = body?.result?.methods?.map(({ name }) => String(name)) ?? []
  const create = names.find((name) => name.endsWith('createTask'))
  return { status: response.status, prefix: create?.slice(0, -'createTask'.length) }
}

/** Possible explorer addresses, derived from the gateway's; the first that serves `/v1` is used. */
function explorerCandidates(url: string): readonly string[] {
  const { protocol, hostname, port } = new URL(url)
  return [
    url,
    ...(port === '' ? [] : [`${protocol}//${hostname}:${Number(port) + 1}`]),
    ...(/^[a-z]/i.test(hostname) && hostname.includes('.')
      ? [`${protocol}//explorer.${hostname.replace(/^[^.]+\./, '')}`]
      : []),
  ]
}

async function isExplorer(url: string, fetch: OracleData['fetch']) {
  try {
    const response = await fetch(`${url}/v1/task`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(within),
    })
    const body = ((await readJson(response)) ?? {}) as { detail?: unknown; results?: unknown }
    return body.detail !== undefined || body.results !== undefined
  } catch {
    return false
  }
}

/** Why a WebSocket did not open, and what to do where it may exist. */
function whyClosed(opening: Opening, key: string | undefined): string {
  if (opening.kind === 'failed') return opening.reason
  const status = opening.kind === 'refused' ? opening.status : 0
  if (status === 401 || status === 403)
    return key === undefined
      ? `HTTP ${status}; set SVC_KEY_READ and run init again, or enter updatesUrl`
      : `HTTP ${status} with this key; enter updatesUrl if it takes the key in another way`
  return `HTTP ${status} instead of a handshake`
}

/**
 * Probes a gateway from outside.
 *
 * @throws CannotRun if it is unreachable
 */
export async function probeGateway(url: string, world: OracleData): Promise<Found> {
  const { env, fetch, stack } = world
  const { gatewayUrl } = targetOf({ url, stackFile: '', env: {} })
  const sameStack = stack?.gatewayUrl === gatewayUrl ? stack : undefined
  const key = env.SVC_KEY_READ || env.SVC_KEY_RPC || sameStack?.apiKeys.read
  const { status, prefix } = await prefixOf(gatewayUrl, key, world).catch((cause) => {
    throw new CannotRun(
      `no answer from ${gatewayUrl}/rpc: ${whyUnanswered(cause).text}`,
      hintFor(cause, 'Is the address right?'),
      cause,
    )
  })
  const brand =
    sameStack?.brand ??
    (prefix === undefined || prefix === defaultBrand.methodPrefix
      ? defaultBrand
      : { ...wireBrand(prefix.replace(/_$/, '')), methodPrefix: prefix })
  const address = updatesUrl({ gatewayUrl, updatesUrl: undefined } as never)
  const opening = await openUpdateSocket({
    url: address,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  })
  if (opening.kind === 'open') await opening.socket.close()
  // Only a handshake shows that there is one: proxies and web servers answer any path with some status.
  const speaks = opening.kind === 'open'
  let explorerUrl = sameStack?.explorerUrl
  for (const candidate of explorerCandidates(gatewayUrl))
    explorerUrl ??= (await isExplorer(candidate, fetch)) ? candidate : undefined
  const keys = key === undefined ? {} : { read: key }
  const unserved = await unservedProfiles({ gatewayUrl, brand, keys, limits: undefined }, fetch)
  const lacking = new Set<Profile>([
    ...unserved.keys(),
    ...(speaks ? [] : (['updates'] as const)),
    ...(explorerUrl === undefined ? (['explorer'] as const) : []),
  ])
  const isServed = (profile: Profile) =>
    withDependencies([profile]).every((each) => each === 'base' || !lacking.has(each))
  return {
    gatewayUrl,
    brand,
    profiles: profiles.filter(isServed),
    updatesUrl: speaks ? address : undefined,
    explorerUrl,
    stack: sameStack,
    notes: [
      `${gatewayUrl}/rpc answers (HTTP ${status})`,
      prefix === undefined
        ? 'rpc.discover does not list its methods: assuming the prefix svc_'
        : `its methods start with ${prefix}`,
      speaks ? `WebSocket at ${address}` : `no WebSocket at ${address}: ${whyClosed(opening, key)}`,
      explorerUrl === undefined ? 'no explorer found' : `explorer at ${explorerUrl}`,
      ...[...unserved].map(([profile, why]) => `no profile ${profile}: ${why}`),
    ],
  }
}
