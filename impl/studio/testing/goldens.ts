import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { type StudioTestContext, studioContext } from './studioContext.ts'
import { differenceOf, type Thumbnail, thumbnailOf } from './thumbnail.ts'

const folder = fileURLToPath(new URL('./goldens/', import.meta.url))
/** Of the means of a square, 0 to 255: above what other fonts make, below a panel that is missing. */
const most = 40
/** For a loaded machine: a view that looks like its golden ends the wait. */
const patienceMs = 90_000

/**
 * What a view shows, where it is not its first page: whether a new stack has blocks after 72 depends on
 * its ports. A port that is in use changes the parameters of policies.
 */
const places: Readonly<Record<string, string>> = { chain: 'chain/blocks?from=72' }

export const variants = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const

/**
 * Compares each view of a new stack with its golden, in every variant. With UPDATE_GOLDENS=1 they are
 * written instead: look at `npm run studio:look -- all DIR` before.
 *
 * @returns what differs, a line each
 */
export async function compareWithGoldens(
  browser: Browser,
  stack: StudioTestContext['stack'],
  views: readonly string[],
): Promise<readonly string[]> {
  // Most of the time is waiting for the page: the variants wait together.
  const different = await Promise.all(
    variants.map((variant) => compareVariant(browser, stack, views, variant)),
  )
  return different.flat()
}

async function compareVariant(
  browser: Browser,
  stack: StudioTestContext['stack'],
  views: readonly string[],
  { name, ...options }: (typeof variants)[number],
): Promise<readonly string[]> {
  const different: string[] = []
  const page = await browser.newPage(options)
  await page.goto(stack.studioUrl)
  await page.waitForSelector('main h1')
  for (const view of views) {
    await studioContext(page, stack).show(places[view] ?? view)
    const file = `${folder}${view}-${name}.png`
    if (process.env.UPDATE_GOLDENS === '1') {
      await page.waitForTimeout(2_000)
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, (await thumbnailOf(await look(page), browser)).png)
      continue
    }
    const golden = await thumbnailOf(readFileSync(file), browser)
    const difference = await leastDifference(page, browser, golden)
    if (difference > most) different.push(`${view}, ${name}: ${difference.toFixed(0)} of 255`)
  }
  await page.close()
  return different
}

const look = (page: Page) => page.screenshot({ animations: 'disabled', caret: 'hide' })

/** Of what the page shows until it is like the golden, for some seconds: a view is loaded first. */
async function leastDifference(page: Page, browser: Browser, golden: Thumbnail): Promise<number> {
  const begin = performance.now()
  let least = 255
  while (least > most && performance.now() - begin < patienceMs)
    least = Math.min(least, differenceOf(await thumbnailOf(await look(page), browser), golden))
  return least
}
