import type { Brand } from 'polgate-protocol/brand.ts'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { KeyName } from '../wire/exchange.ts'
import type { Feature } from './features.ts'
import { createLimiter, type Limiter, type LimitState, type Limits } from './limits.ts'

/** A public address, and the port of this machine to which whatever is sent there comes. */
export type WebhookReceiverPlace = {
  readonly url: string
  readonly port: number
  readonly host?: string | undefined
}

/** A chain whose history the explorer shows under one name of its network header. */
export type ExploredNetwork = {
  readonly rpcUrl?: string | undefined
  readonly chainId?: number | undefined
  readonly taskManager?: StackDescription['chain']['taskManager'] | undefined
  readonly policyFactory?: StackDescription['chain']['taskManager'] | undefined
}

/** A private key may be missing where an address is all that is needed. */
export type KnownAccount = {
  readonly address: `0x${string}`
  readonly privateKey?: `0x${string}` | undefined
}

/** Who made what is tested, and which of it: what a report tells. */
export type Identity = {
  readonly maker?: string | undefined
  readonly release?: string | undefined
  readonly image?: string | undefined
  readonly digest?: string | undefined
}

/** What the suite knows of a target. All but the address may be missing; checks say what they need. */
export type Target = {
  /** `local`, or the URL as it was given. */
  readonly name: string
  /** Without a path; the endpoint is `{gatewayUrl}/rpc`. */
  readonly gatewayUrl: string
  readonly brand: Brand
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
  readonly controlUrl?: string | undefined
  /** Where chaos between its parts is asked for: `lab/chaosControl.ts` says how. */
  readonly chaosUrl?: string | undefined
  readonly fixtureHostUrl?: string | undefined
  /** Where WebSockets are opened; `/ws` of the gateway where none is given (decision W1). */
  readonly updatesUrl?: string | undefined
  /** Without `/v1` (section 4.12). */
  readonly explorerUrl?: string | undefined
  /** The network header's value for the gateway's chain; none is sent where it is the default. */
  readonly explorerNetwork?: Network | undefined
  /** How long after it happened something may still be missing in the explorer, seconds. */
  readonly explorerLagSeconds?: number | undefined
  /** Chains that the explorer shows, by name; the gateway's own may be among them. */
  readonly networks?: Readonly<Partial<Record<Network, ExploredNetwork>>> | undefined
  /** The gateway cannot reach this machine, whatever its address looks like. */
  readonly noReceiver?: boolean | undefined
  /** Where the suite receives webhooks when the gateway cannot reach loopback. */
  readonly webhookReceiver?: WebhookReceiverPlace | undefined
  readonly chain?: StackDescription['chain'] | undefined
  readonly accounts?:
    | Readonly<Partial<Record<keyof StackDescription['accounts'], KnownAccount>>>
    | undefined
  readonly operators?: StackDescription['operators'] | undefined
  readonly clients: StackDescription['clients']
  /** What it is declared to have. */
  readonly features?: readonly Feature[] | undefined
  readonly limits?: Limits | undefined
  readonly identity?: Identity | undefined
  /** Our own service: held to its decisions where the specification is silent. */
  readonly reference?: boolean | undefined
  /** Needs that this target cannot have, each with a written reason: not applicable, not untestable. */
  readonly notApplicable: Readonly<Record<string, string>>
}

/** Networks that the target declares beside the one of the gateway's own chain. */
export const otherNetworks = (
  target: Pick<Target, 'networks' | 'explorerNetwork'>,
): readonly { readonly name: Network; readonly network: ExploredNetwork }[] =>
  Object.entries(target.networks ?? {}).flatMap(([name, network]) =>
    network === undefined || name === (target.explorerNetwork ?? 'testnet')
      ? []
      : [{ name: name as Network, network }],
  )

/** A target that declares one network alone has nothing to be asked of a second one. */
export const withWaivers = (target: Target): Target =>
  otherNetworks(target).length > 0
    ? target
    : {
        ...target,
        notApplicable: {
          'second-network': 'the target declares no network beside that of its gateway',
          ...target.notApplicable,
        },
      }

export type PreparedTarget = {
  readonly target: Target
  readonly close: () => Promise<void>
}

/** Addresses that a target is asked at: what its limits count. */
const surfacesOf = ({ gatewayUrl, explorerUrl }: Target): readonly string[] =>
  explorerUrl === undefined ? [gatewayUrl] : [gatewayUrl, explorerUrl]

/** What holds a run against this target to its limits, with the other threads of that state. */
export const limiterOf = (target: Target, state: LimitState): Limiter =>
  createLimiter({
    limits: target.limits,
    state,
    surfaces: surfacesOf(target),
    controls: [target.controlUrl, target.chaosUrl].flatMap((url) => url ?? []),
  })

/** Shorter parts of an address are words, such as `rpc` and `v3`. */
const shortestUrlSecret = 16

/** What of an address opens a door: a provider's key stands in its path, its query or its user. */
const secretsOfUrl = (url: string | undefined): readonly string[] => {
  if (url === undefined || !URL.canParse(url)) return []
  const { username, password, pathname, searchParams } = new URL(url)
  const long = [...pathname.split('/'), ...searchParams.values()].filter(
    (part) => part.length >= shortestUrlSecret,
  )
  return [username, password, ...long].filter((part) => part !== '')
}

/** Addresses that only the suite is told: no answer and no report has to name them. */
const secretUrls = (target: Target): readonly (string | undefined)[] => [
  target.chain?.rpcUrl,
  ...Object.values(target.networks ?? {}).map((network) => network?.rpcUrl),
  target.controlUrl,
  target.chaosUrl,
  target.updatesUrl,
]

/** Every secret value of a target, by the name that stands for it in what is printed. */
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

/** The target that a stack description tells of. */
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
