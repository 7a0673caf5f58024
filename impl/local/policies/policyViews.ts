import type {
  ClientDetail,
  ClientSummary,
  Content,
  ControlPage,
  PolicyDetail,
  PolicySourceView,
  PolicySummary,
  SecretsState,
} from 'polgate-protocol/control/policies.ts'
import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ContentError } from 'polgate-service/content/contentError.ts'
import type { ContentStore } from 'polgate-service/content/contentStore.ts'
import type { ExplorerQueries } from 'polgate-service/store/explorer/explorerQueries.ts'
import type { SecretQueries } from 'polgate-service/store/secrets.ts'
import type { ClientOnChain, PolicyChain } from './policyChain.ts'
import type { PolicySet } from './policyHistory.ts'

/** Where the views are read from. */
export type PolicyViewParts = {
  readonly chain: PolicyChain
  readonly chainId: number
  readonly content: Pick<ContentStore, 'get'>
  readonly secrets: Pick<SecretQueries, 'get'>
  readonly explorer: Pick<ExplorerQueries, 'policy' | 'policies'>
  /** Names of clients by their address, in lower case. */
  readonly names: ReadonlyMap<string, string>
  /** Whether the stack has the key of an account. */
  readonly hasKeyOf: (account: Address) => boolean
}

type Page = { readonly page: number; readonly size: number }

/** Policies and clients that the stack and its explorer know. */
export type PolicyViews = {
  /** A page of the explorer's list, the newest first. */
  policies(page: Page): Promise<ControlPage<PolicySummary>>
  /** @throws ChainReadError where there is no policy contract */
  policy(address: Address): Promise<PolicyDetail>
  /** Clients that were given a policy, those whose policy was set last first. */
  clients(page: Page): Promise<ControlPage<ClientSummary>>
  /** Undefined for a client that was never given a policy. */
  client(address: Address): Promise<ClientDetail | undefined>
}

const mostVersions = 100

export function createPolicyViews(parts: PolicyViewParts): PolicyViews {
  const { chain, chainId, explorer } = parts

  /** How many clients have each policy, as its events say. */
  async function clientCounts(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>()
    for (const { policyAddress } of (await latestSets(chain)).values())
      counts.set(policyAddress, (counts.get(policyAddress) ?? 0) + 1)
    return counts
  }

  async function policy(address: Address): Promise<PolicyDetail> {
    const [found, row, counts] = await Promise.all([
      chain.policy(address),
      explorer.policy(chainId, address),
      clientCounts(),
    ])
    const [source, paramsSchema, sources] = await Promise.all([
      contentOf(parts.content, found.policyCid),
      found.schemaCid === '' ? null : contentOf(parts.content, found.schemaCid),
      Promise.all(found.policyData.map(async (each) => sourceView(await chain.source(each)))),
    ])
    const { owner, entrypoint, version, metadataCid } = found
    return {
      address,
      ...{ name: row?.name ?? null, version, owner, entrypoint, metadataCid },
      ...{ verified: row?.verified ?? null, clients: counts.get(address) ?? 0 },
      ...{ author: row?.author ?? null, description: row?.description ?? null },
      ...{ source, paramsSchema, sources },
    }
  }

  async function secretsOf(
    policyClient: Address,
    { sources }: PolicyDetail,
  ): Promise<SecretsState[]> {
    return await Promise.all(
      sources.map(async ({ address: policyDataAddress, secretsSchemaCid }) => {
        if (secretsSchemaCid === '') return { policyDataAddress, state: 'not needed' as const }
        const scope = { policyClient, policyDataAddress }
        const isThere = (await parts.secrets.get(scope)) !== undefined
        return { policyDataAddress, state: isThere ? ('present' as const) : ('missing' as const) }
      }),
    )
  }

  const summaryOf = (sets: readonly PolicySet[], now: ClientOnChain): ClientSummary => {
    const last = sets.at(-1)!
    const policyId = now.policyId ?? last.policyId
    const current = sets.findLast((each) => each.policyId === policyId) ?? last
    return {
      address: last.policyClient,
      name: parts.names.get(last.policyClient) ?? null,
      policyAddress: now.policyAddress ?? last.policyAddress,
      policyId,
      versions: sets.length,
      setInBlock: current.block,
    }
  }

  return {
    async policies(page) {
      const [found, counts] = await Promise.all([explorer.policies(chainId, page), clientCounts()])
      return {
        ...found,
        results: found.results.map(({ address, name, verified, policy_info: info }) => ({
          ...{ address, name, verified, version: info?.version ?? '' },
          owner: info?.owner ?? null,
          entrypoint: info?.entrypoint ?? '',
          clients: counts.get(address.toLowerCase()) ?? 0,
        })),
      }
    },
    policy,

    async clients({ page, size }) {
      const byClient = setsByClient(await chain.history())
      const all = [...byClient.values()].reverse()
      const shown = all.slice((page - 1) * size, page * size)
      const now = await chain.clients(shown.map((sets) => sets[0]!.policyClient))
      const results = shown.map((sets, at) => summaryOf(sets, now[at]!))
      return { total: all.length, page, size, results }
    },

    async client(address) {
      const sets = setsByClient(await chain.history()).get(address)
      if (sets === undefined) return undefined
      const [now] = await chain.clients([address])
      const summary = summaryOf(sets, now!)
      const { owner } = now!
      const found = await policy(summary.policyAddress).catch((error: Error) => error)
      const current = sets.findLast(({ policyId }) => policyId === summary.policyId)
      return {
        ...summary,
        ...{ owner, canChange: owner !== null && parts.hasKeyOf(owner) },
        params: policyParamsJson(current?.params ?? ''),
        expireAfter: current?.expireAfter ?? 0,
        policy: found instanceof Error ? null : found,
        problem: found instanceof Error ? found.message : null,
        secrets: found instanceof Error ? [] : await secretsOf(address, found),
        history: sets
          .slice(-mostVersions)
          .reverse()
          .map((set) => {
            const { policyClient: _, ...version } = set
            return { ...version, current: set === current }
          }),
      }
    },
  }
}

/** In the order of the last event of each client. */
function setsByClient(history: readonly PolicySet[]): Map<string, PolicySet[]> {
  const byClient = new Map<string, PolicySet[]>()
  for (const set of history) {
    const sets = byClient.get(set.policyClient) ?? []
    sets.push(set)
    byClient.delete(set.policyClient)
    byClient.set(set.policyClient, sets)
  }
  return byClient
}

async function latestSets(chain: PolicyChain): Promise<Map<string, PolicySet>> {
  return new Map((await chain.history()).map((set) => [set.policyClient, set]))
}

const sourceView = ({
  policyDataAddress,
  ...rest
}: Awaited<ReturnType<PolicyChain['source']>>): PolicySourceView => ({
  address: policyDataAddress.toLowerCase() as Address,
  ...rest,
  attesters: [...rest.attesters],
})

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Milliseconds: a content gateway that hangs does not stop the view. */
const contentMs = 5_000

async function contentOf(content: Pick<ContentStore, 'get'>, cid: string): Promise<Content> {
  try {
    const bytes = await content.get(cid, { signal: AbortSignal.timeout(contentMs) })
    return { cid, text: utf8.decode(bytes), problem: null }
  } catch (error) {
    const problem =
      error instanceof ContentError
        ? error.message
        : error instanceof TypeError
          ? 'it is not text'
          : 'it was not found in time'
    return { cid, text: null, problem }
  }
}
