import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IndexerDeps } from './explorer/indexer/indexer.ts'
import { createService, type Service } from './service.ts'
import type { ServiceConfigInput } from './serviceConfig.ts'
import type { ServiceParts } from './serviceParts.ts'

const address = `0x${'ab'.repeat(20)}` as const
const secret = '11'.repeat(32)
const network = {
  chainId: 1,
  rpcUrl: 'http://127.0.0.1:1',
  taskManager: address,
  policyFactory: address,
  pollMs: 50,
}
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-explorer-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** A service whose chain is unavailable. */
const start = (explorer: ServiceConfigInput['explorer'], parts: ServiceParts = {}) =>
  createService(
    {
      gateway: {},
      admin: {},
      logLevel: 'silent',
      chain: {
        rpcUrl: network.rpcUrl,
        chainId: 1,
        taskManager: address,
        operatorRegistry: address,
      },
      keys: { gateway: secret, secrets: secret, privacy: secret },
      operators: [{ kind: 'local', address, blsKey: secret }],
      content: { directory: join(directory, 'content') },
      oracles: { cacheDir: join(directory, 'cache') },
      explorer,
    },
    parts,
  )

async function ask(service: Service, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.explorerUrl}${path}`, { headers })
  return { status: response.status, body: await response.json() }
}
const admin = async (service: Service, path: string) =>
  (await fetch(`${service.adminUrl}${path}`)).text()

it('responds while the chain is unavailable, and reports the outage on the admin listener', async () => {
  const seen: IndexerDeps[] = []
  const service = await start(
    {
      listen: {},
      networks: { testnet: network, base: network, mainnet: { ...network, chainId: 2 } },
    },
    {
      indexer: (deps) => {
        seen.push(deps)
        return deps
      },
      explorer: (deps) => ({ ...deps, brand: { networkHeader: 'X-Other' } }),
      wrapExplorerFetch: (fetch) => async (request) => {
        const response = await fetch(request)
        response.headers.set('x-by', 'the wrapper')
        return response
      },
    },
  )
  const { key } = await service.store.apiKeys.create({ name: 'test', permissions: ['rpc_read'] })
  const page = { total: 0, page: 1, size: 10, results: [] }
  expect(await ask(service, '/v1/task', { 'x-api-key': key })).toEqual({ status: 200, body: page })
  const other = { 'x-api-key': key, 'x-other': 'nowhere' }
  expect((await ask(service, '/v1/task', other)).status).toBe(400)
  const docs = await fetch(`${service.explorerUrl}/docs`)
  expect(docs.headers.get('x-by')).toBe('the wrapper')
  // One per chain, even if it has several names.
  expect(seen.map((deps) => deps.network.chainId)).toEqual([1, 2])
  await expect
    .poll(() => admin(service, '/readyz'), { timeout: 60_000 })
    .toMatch(
      /^not ready\nchain: chain 1: .+\nchain 1 is not indexed: .+\nchain 2 is not indexed: .+\n$/,
    )
  expect(await admin(service, '/metrics')).toMatch(/explorer_indexer_troubled\{chain="1"\} 1\n/)

  await service.close()
  await expect(fetch(`${service.explorerUrl}/docs`)).rejects.toThrow()
})

it('can serve without indexing, or index without serving', async () => {
  const followed: number[] = []
  const parts: ServiceParts = {
    indexer: (deps) => {
      followed.push(deps.network.chainId)
      return deps
    },
  }
  for (const [explorer, serves, follows] of [
    [{ listen: {}, indexer: false, networks: { testnet: network } }, true, []],
    [{ networks: { testnet: network } }, false, [1]],
  ] as const) {
    followed.length = 0
    const service = await start(explorer, parts)
    expect(service.explorerUrl !== undefined).toBe(serves)
    expect(followed).toEqual(follows)
    await service.close()
  }
})

it.each([
  [
    { networks: { nowhere: network } },
    'explorer.networks must NOT have additional properties: nowhere',
  ],
  [
    { networks: { testnet: { ...network, pollMs: 0 } } },
    'explorer.networks.testnet.pollMs must be >= 10',
  ],
])('rejects an invalid configuration', async (explorer, problem) => {
  await expect(start(explorer as never)).rejects.toThrow(problem)
})
