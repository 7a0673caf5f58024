import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { serveStudio } from 'polgate-studio/server/serveStudio.ts'
import { studioAssets } from 'polgate-studio/server/studioAssets.ts'
import { chromiumPath, noChromium } from 'polgate-studio/testing/chromium.ts'
import { startServer } from './explorer/children.ts'
import { fill } from './explorer/fill.ts'
import { history } from './explorer/history.ts'
import { isPostgresMissing, startMeasuredPostgres } from './explorer/postgres.ts'
import { percentile } from './oracles/section.ts'
import { measureEveryView, type ViewTimes } from './studio/everyView.ts'

/**
 * `npm run bench:studio`: Studio over an explorer with 100,000 tasks, in Chromium: from the address to the rows of
 * its first view, in a new window while the server is warm, and from a click to the next page. Also the size of
 * the first view and of everything else, gzipped. Beside each time, that of an empty page in the same run. Then
 * every view of a local stack with 1,000 and with 100,000 tasks. Fails if a goal is missed, except with --quick.
 * Options: --rows N, --times N (20), --quick (2,000 rows, 3 times), --json.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string' },
    times: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows ?? (options.quick ? 2_000 : 100_000))
const times = Number(options.times ?? (options.quick ? 3 : 20))
/** Milliseconds, and bytes. */
const goals = { firstView: 1_000, page: 1_000, initial: 400_000 }
/** With 100,000 tasks a view takes at most so many times as long as with 1,000, or half a second. */
const viewGoal = { ratio: 3, ms: 500 }

if (chromiumPath === undefined) {
  console.error(`${noChromium}. Not measured.`)
  process.exit(0)
}
const postgres = await startMeasuredPostgres().catch((error: unknown) => {
  if (!isPostgresMissing(error)) throw error
  console.error(`${error.message}. Not measured.`)
  process.exit(0)
})

type Times = {
  readonly name: string
  readonly p50: number
  readonly p95: number
  readonly goal?: number
}
const results: Times[] = []
function record(name: string, samples: readonly number[], goal?: number): void {
  const [p50, p95] = [0.5, 0.95].map((each) => percentile(samples, each)) as [number, number]
  results.push({ name, p50, p95, ...(goal === undefined ? {} : { goal }) })
}

async function repeated(work: () => Promise<number>): Promise<number[]> {
  await work()
  const samples: number[] = []
  for (let at = 0; at < times; at += 1) samples.push(await work())
  return samples
}

const store = await openStore({ url: postgres.url })
await fill(store, history({ tasks: rows, policies: 100 }), rows, () => {})
await store.database.execute('vacuum analyze')
const explorer = await startServer(postgres.url)
const studio = await serveStudio({
  target: {
    ...{ name: 'measured', gatewayUrl: explorer.url, explorerUrl: explorer.url },
    ...{
      brand: defaultBrand,
      contracts: {},
      keys: { read: explorer.keys[0]! },
      defaultKey: 'read',
    },
  },
  loadAssets: studioAssets,
  port: 0,
})
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
let views: readonly ViewTimes[] = []
const row = '[aria-label="Tasks"] tbody tr'
const tasks = (page: Page) => page.locator(row).first().waitFor()

/** Milliseconds from the click to the rows of the next page. */
async function turned(page: Page): Promise<number> {
  const before = await page.locator(row).first().innerHTML()
  const begin = performance.now()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForFunction(
    ([path, old]) =>
      (
        globalThis as unknown as {
          document: { querySelector(of: string): { innerHTML: string } | null }
        }
      ).document.querySelector(path)?.innerHTML !== old,
    [row, before] as const,
  )
  await tasks(page)
  return performance.now() - begin
}

try {
  const opened = (url: string, ready: (page: Page) => Promise<unknown>) => async () => {
    const page = await (await browser.newContext()).newPage()
    const begin = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await ready(page)
    const ms = performance.now() - begin
    await page.context().close()
    return ms
  }
  const empty = opened('data:text/html,<p>empty</p>', (page) => page.locator('p').waitFor())
  record('an empty page', await repeated(empty))
  record('first view, with rows', await repeated(opened(studio.url, tasks)), goals.firstView)
  const page = await browser.newPage()
  await page.goto(studio.url)
  await tasks(page)
  record('the next page of tasks', await repeated(() => turned(page)), goals.page)
  await page.close()
  views = await measureEveryView(browser, { many: rows, times: Math.min(times, 5) })
} finally {
  await browser.close()
  await studio.close()
  await explorer.close()
  await store.close()
  await postgres.stop()
}

/** The page, what it loads at once, and its first view. */
const isInitial = (path: string) => /^\/(index\.html|assets\/(index|TasksView)-)/.test(path)
const sizes = [...(await studioAssets())].map(([path, { bytes }]) => ({
  path,
  bytes: gzipSync(bytes).length,
}))
const sum = (some: typeof sizes) => some.reduce((total, { bytes }) => total + bytes, 0)
const initial = sum(sizes.filter(({ path }) => isInitial(path)))
const whole = sum(sizes)
const missed = [
  ...results.filter(({ p95, goal }) => goal !== undefined && p95 > goal).map(({ name }) => name),
  ...views
    .filter(({ few, many }) => many > viewGoal.ms && many > viewGoal.ratio * few)
    .map(({ view }) => view),
  ...(initial > goals.initial ? ['size of the first view'] : []),
]
if (options.json) console.log(JSON.stringify({ rows, results, views, initial, whole, missed }))
else {
  console.log(`${rows} tasks, ${times} times each\n${'ms'.padEnd(32)}     p50     p95    goal`)
  for (const { name, p50, p95, goal } of results)
    console.log(
      name.padEnd(32) +
        [p50, p95, goal].map((each) => (each?.toFixed(0) ?? '').padStart(8)).join(''),
    )
  console.log(`${'ms'.padEnd(48)} 1,000 ${rows.toLocaleString().padStart(8)}   ratio`)
  for (const { view, few, many } of views)
    console.log(
      view.slice(0, 46).padEnd(46) +
        [few.toFixed(0), many.toFixed(0), (many / few).toFixed(1)]
          .map((each) => each.padStart(8))
          .join(''),
    )
  console.log(
    `first view ${(initial / 1e3).toFixed(1)} kB gzipped (goal ${goals.initial / 1e3}), everything ${(whole / 1e3).toFixed(1)} kB`,
  )
  for (const name of missed) console.log(`missed: ${name}`)
}
process.exit(missed.length > 0 && !options.quick ? 1 : 0)
