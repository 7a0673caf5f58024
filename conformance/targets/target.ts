import type { Brand } from 'polgate-protocol/brand.ts'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { KeyName } from '../wire/exchange.ts'
import type { Feature } from './features.ts'
import { createLimiter, type Limiter, type LimitState, type Limits } from './limits.ts'

/** A public address, and the local port to which it forwards. */
export type WebhookReceiverPlace = {
  readonly url: string
  readonly port: number
  readonly host?: string | undefined
}

/** A chain that the explorer shows, by the value of its network header. */
export type ExploredNetwork = {
  readonly rpcUrl?: string | undefined
  readonly chainId?: number | undefined
  readonly taskManager?: StackDescription['chain']['taskManager'] | undefined
  readonly policyFactory?: StackDescription['chain']['taskManager'] | undefined
}

/** The private key is optional if only the address is needed. */
export type KnownAccount = {
  readonly address: `0x${string}`
  readonly privateKey?: `0x${string}` | undefined
}

/** Vendor and version of the target, for reports. */
export type Identity = {
  readonly maker?: string | undefined
  readonly release?: string | undefined
  readonly image?: string | undefined
  readonly digest?: string | undefined
}

/**
 * What the suite knows of a target. Everything but the address is optional; checks declare what
 * they need.
 */
export type Target = {
  /** `local`, or the URL as it was given. */
  readonly name: string
  /** Without a path; the endpoint is `{gatewayUrl}/rpc`. */
  readonly gatewayUrl: string
  readonly brand: Brand
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
  readonly controlUrl?: string | undefined
  /** Address that controls faults between its parts: see `lab/chaosControl.ts`. */
  readonly chaosUrl?: string | undefined
  readonly fixtureHostUrl?: string | undefined
  /** WebSocket address; `/ws` of the gateway by default (decision W1). */
  readonly updatesUrl?: string | undefined
  /** Without `/v1` (section 4.12). */
  readonly explorerUrl?: string | undefined
  /** The network header's value for the gateway's chain; omitted if it is the default. */
  readonly explorerNetwork?: Network | undefined
  /** How long the explorer may lag behind an event, seconds. */
  readonly explorerLagSeconds?: number | undefined
  /** Chains that the explorer shows, by name; may include the gateway's own. */
  readonly networks?: Readonly<Partial<Record<Network, ExploredNetwork>>> | undefined
  /** The gateway cannot reach this machine, even if its address is local. */
  readonly noReceiver?: boolean | undefined
  /** Where the suite receives webhooks if the gateway cannot reach loopback. */
  readonly webhookReceiver?: WebhookReceiverPlace | undefined
  readonly chain?: StackDescription['chain'] | undefined
  readonly accounts?:
    | Readonly<Partial<Record<keyof StackDescription['accounts'], KnownAccount>>>
    | undefined
  readonly operators?: StackDescription['operators'] | undefined
  readonly clients: StackDescription['clients']
  /** Declared features. */
  readonly features?: readonly Feature[] | undefined
  readonly limits?: Limits | undefined
  readonly identity?: Identity | undefined
  /** The reference implementation: must also satisfy its decisions on open points. */
  readonly reference?: boolean | undefined
  /**
   * Capabilities that this target cannot have, each with a reason: not applicable instead of
   * untestable.
   */
  readonly notApplicable: Readonly<Record<string, string>>
}

/** Networks that the target declares besides the one of the gateway's chain. */
export const otherNetworks = (
  target: Pick<Target, 'networks' | 'explorerNetwork'>,
): readonly { readonly name: Network; readonly network: ExploredNetwork }[] =>
  Object.entries(target.networks ?? {}).flatMap(([name, network]) =>
    network === undefined || name === (target.explorerNetwork ?? 'testnet')
      ? []
      : [{ name: name as Network, network }],
  )

/** A target with only one network waives the checks of a second one. */
export const withWaivers = (target: Target): Target =>
  otherNetworks(target).length > 0
    ? target
    : {
        ...target,
        notApplicable: {
          'second-network': 'the target declares no network besides that of its gateway',
          ...target.notApplicable,
        },
      }

export type PreparedTarget = {
  readonly target: Target
  readonly close: () => Promise<void>
}

/** Addresses of a target that its limits count. */
const surfacesOf = ({ gatewayUrl, explorerUrl }: Target): readonly string[] =>
  explorerUrl === undefined ? [gatewayUrl] : [gatewayUrl, explorerUrl]

/** Enforces the limits of a target, shared with the other threads of that state. */
export const limiterOf = (target: Target, state: LimitState): Limiter =>
  createLimiter({
    limits: target.limits,
    state,
    surfaces: surfacesOf(target),
    controls: [target.controlUrl, target.chaosUrl].flatMap((url) => url ?? []),
  })

/** Shorter URL components are words, such as `rpc` and `v3`. */
const shortestUrlSecret = 16

/** Secret parts of a URL: a provider's key may be in its path, query or user info. */
const secretsOfUrl = (url: string | undefined): readonly string[] => {
  if (url === undefined || !URL.canParse(url)) return []
  const { username, password, pathname, searchParams } = new URL(url)
  const long = [...pathname.split('/'), ...searchParams.values()].filter(
    (part) => part.length >= shortestUrlSecret,
  )
  return [username, password, ...long].filter((part) => part !== '')
}

/** Addresses that only the suite knows: no response or report needs them. */
const secretUrls = (target: Target): readonly (string | undefined)[] => [
  target.chain?.rpcUrl,
  ...Object.values(target.networks ?? {}).map((network) => network?.rpcUrl),
  target.controlUrl,
  target.chaosUrl,
  target.updatesUrl,
]

/** All secret values of a target, by the names that replace them in output. */
export const secretsOf = (target: Target): Record<string, string> => {
  const keys = Object.entries(target.keys).map(([name, value]) => [
    `SVC_KEY_${name.toUpperCase()}`,
    value,
  ])
  const accounts = Object.entries(target.accounts ?? {}).flatMap(([name, account]) =>
    account?.privateKey === undefined
      ? []
      : [[`SVC_ACCOUNT_${name.toUpperCase()}`, account.privateKey]],
  )
  const parts = [...new Set(secretUrls(target).flatMap(secretsOfUrl))].map((part, i) => [
    `SVC_URL_SECRET${i === 0 ? '' : `_${i + 1}`}`,
    part,
  ])
  return Object.fromEntries([...keys, ...accounts, ...parts])
}

/** The target that a stack description defines. */
export const targetOfStack = (stack: StackDescription, name: string): Target => ({
  name,
  gatewayUrl: stack.gatewayUrl,
  brand: stack.brand,
  keys: stack.apiKeys,
  controlUrl: stack.controlUrl,
  fixtureHostUrl: stack.fixtureHostUrl,
  chaosUrl: stack.chaosUrl,
  explorerUrl: stack.explorerUrl,
  networks: stack.networks,
  chain: stack.chain,
  accounts: stack.accounts,
  operators: stack.operators,
  clients: stack.clients,
  reference: true,
  notApplicable: {},
})
