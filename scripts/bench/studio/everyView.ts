import { performance } from 'node:perf_hooks'
import type { Browser, Page } from 'playwright-core'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import { serveStudio } from 'polgate-studio/server/serveStudio.ts'
import { studioAssets } from 'polgate-studio/server/studioAssets.ts'
import { percentile } from '../oracles/section.ts'
import { seedTasks } from './seedTasks.ts'

/** Medians of a view in milliseconds, from its address to its content. */
export type ViewTimes = { readonly view: string; readonly few: number; readonly many: number }

/** Tasks of the first measurement. */
const few = 1_000

/**
 * Every view of Studio over a local stack with its embedded database, with few tasks and then with many. Only the
 * ratio says something on a busy machine.
 */
export async function measureEveryView(
  browser: Browser,
  { many, times }: { readonly many: number; readonly times: number },
): Promise<readonly ViewTimes[]> {
  let store: Store | undefined
  const stack = await startLocalStack({
    ...{ timeTravel: true, taskTraces: true },
    openStore: async () => {
      store = await openStore({ ownThread: true })
      return store
    },
  })
  const { description } = stack
  const { chainId, rpcUrl } = description.chain
  const client = description.clients['allow-list']!.policyClient
  const { gatewayUrl, explorerUrl, controlUrl, brand, apiKeys, contracts } = description
  const studio = await serveStudio({
    target: {
      ...{ name: 'measured', gatewayUrl, explorerUrl, controlUrl, brand, rpcUrl, chainId },
      ...{ contracts: contracts?.addresses ?? {}, keys: apiKeys, defaultKey: 'rpc' },
    },
    loadAssets: studioAssets,
    port: 0,
  })
  // Those of a chart are hidden until they are asked for.
  const rows = 'main .table tbody tr:visible'
  const old = `0x${'5'.padStart(64, '0')}`
  const views: readonly (readonly [hash: string, content: string])[] = [
    ['tasks', rows],
    ['tasks?page=10', rows],
    ['tasks?status=failed', rows],
    ['tasks?decision=deny', rows],
    [`tasks?client=${client}&decision=allow`, rows],
    ['tasks?text=no-such-text', 'text=No task matches these filters.'],
    [`tasks/${old}`, 'text=is not known'],
    ['playground', 'main .cm-line'],
    ['newTask', 'text=Submit'],
    ['policies', rows],
    [`policies/clients/${client.toLowerCase()}`, 'main [role=status]'],
    ['webhooks', 'text=Nothing has arrived'],
    ['webhooks/notifications', rows],
    ['operators', rows],
    ['chain', rows],
    ['chain/events', rows],
    ['chain/gas', 'text=Tasks of the latest'],
    ['conformance', 'main h1'],
    ['console', 'main form'],
    ['console/explorer', 'main form'],
  ]
  try {
    const page = await browser.newPage()
    await page.goto(studio.url)
    await page.locator('main h1').waitFor()
    const measured: number[][] = []
    let seeded = 0
    for (const count of [few, Math.max(few, many)]) {
      await seedTasks(store!.database, { client, chainId, from: seeded, count: count - seeded })
      seeded = count
      const medians: number[] = []
      for (const [hash, content] of views) medians.push(await medianOf(page, hash, content, times))
      measured.push(medians)
    }
    const [first = [], second = []] = measured
    return views.map(([view], at) => ({ view, few: first[at] ?? 0, many: second[at] ?? 0 }))
  } finally {
    await studio.close()
    await stack.close()
  }
}

/** From another view: what is loaded once has been loaded before. */
async function medianOf(page: Page, hash: string, content: string, times: number) {
  const samples: number[] = []
  for (let at = 0; at <= times; at += 1) {
    await go(page, 'none')
    await page.locator('main h1').waitFor({ state: 'attached' })
    const begin = performance.now()
    await go(page, hash)
    await page.locator(content).first().waitFor()
    samples.push(performance.now() - begin)
  }
  return percentile(samples.slice(1), 0.5)
}

const go = (page: Page, hash: string) =>
  page.evaluate((to) => {
    ;(globalThis as unknown as { location: { hash: string } }).location.hash = to
  }, `#/${hash}`)
