import type { Network } from 'polgate-protocol/explorer.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { ExploredNetwork, Target } from '../core/target.ts'
import { createLimiter, type Limiter, type LimitState } from './limits.ts'

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
