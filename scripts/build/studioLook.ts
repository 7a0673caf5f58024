/**
 * `npm run studio:look -- VIEW,... OUT_DIR`: screenshots of views of Studio, light, dark and on a phone, of a new
 * stack with some tasks. VIEW is what follows `#/` in the address; `all` is every view.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumPath, noChromium } from 'polgate-studio/testing/chromium.ts'
import { variants } from 'polgate-studio/testing/goldens.ts'
import { startStudioStack } from 'polgate-studio/testing/startStudioStack.ts'
import { studioContext } from 'polgate-studio/testing/studioContext.ts'

/** Of the page, and the tables that are wider than their place. */
function sizes(): { readonly width: number; readonly height: number; readonly wide: string[] } {
  type Box = { scrollWidth: number; scrollHeight: number; clientWidth: number; ariaLabel: string }
  const { document } = globalThis as unknown as {
    document: { documentElement: Box; querySelectorAll(of: string): Iterable<Box> }
  }
  const { scrollWidth: width, scrollHeight: height } = document.documentElement
  const tables = [...document.querySelectorAll('.table')]
  const wide = tables.filter((each) => each.scrollWidth > each.clientWidth)
  return { width, height, wide: wide.map(({ ariaLabel }) => `table ${ariaLabel} is too wide`) }
}

const [given = 'tasks', out = '.cache/studio-look'] = process.argv.slice(2)
if (chromiumPath === undefined) throw new Error(noChromium)
await mkdir(out, { recursive: true })
const running = await startStudioStack()
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
try {
  for (const { name, ...options } of variants) {
    const page = await browser.newPage(options)
    page.on('console', (message) => console.error(`${name}: ${message.text()}`))
    page.on('pageerror', (error) => console.error(`${name}: ${error}`))
    await page.goto(running.stack.studioUrl)
    await page.waitForSelector('main h1')
    const context = studioContext(page, running.stack)
    if (name === 'light') await context.createTasks(3)
    const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
    const every = await links.evaluateAll((all) =>
      all.map((link) => (link as unknown as { hash: string }).hash.slice('#/'.length)),
    )
    for (const view of given === 'all' ? every : given.split(',')) {
      await context.show(view)
      await page.waitForTimeout(1_500)
      const path = join(out, `${view.replaceAll(/\W/g, '-')}-${name}.png`)
      // As tall a window as the page: editors lay out only what is in the window.
      const { width, height, wide } = await page.evaluate(sizes)
      await page.setViewportSize({ width: options.viewport.width, height })
      await page.waitForTimeout(500)
      await page.screenshot({ path })
      await page.setViewportSize(options.viewport)
      const isWide = width > options.viewport.width
      console.log([path, ...(isWide ? [`${width} px wide`] : []), ...wide].join(': '))
    }
  }
} finally {
  await browser.close()
  await running.close()
}
