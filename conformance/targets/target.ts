import type { Network } from 'polgate-protocol/explorer.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { ExploredNetwork, Target } from '../core/target.ts'
import { createLimiter, type Limiter, type LimitState } from './limits.ts'

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
  /** A local stack that ran before: others may have changed what is stored for its clients. */
  readonly inUse?: true
  /** The file that describes it. */
  readonly file?: string
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
function secretsOfUrl(url: string | undefined): readonly string[] {
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
export function secretsOf(target: Target): Record<string, string> {
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
