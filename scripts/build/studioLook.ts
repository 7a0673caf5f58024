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
      await page.screenshot({ path, fullPage: true })
      const { scrollWidth } = await page.evaluate(() => {
        const { document } = globalThis as unknown as {
          document: { documentElement: { scrollWidth: number } }
        }
        return { scrollWidth: document.documentElement.scrollWidth }
      })
      console.log(scrollWidth > options.viewport.width ? `${path}: ${scrollWidth} px wide` : path)
    }
  }
} finally {
  await browser.close()
  await running.close()
}
