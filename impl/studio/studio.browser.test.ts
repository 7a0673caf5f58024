import { createServer } from 'node:http'
import { type Browser, chromium, type Page } from 'playwright-core'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from './testing/accessibility.ts'
import { chainFlow } from './testing/chain.flow.ts'
import { chromiumPath, noChromium } from './testing/chromium.ts'
import { conformanceFlow } from './testing/conformance.flow.ts'
import { consoleFlow } from './testing/console.flow.ts'
import { compareWithGoldens } from './testing/goldens.ts'
import { newTaskFlow } from './testing/newTask.flow.ts'
import { operatorsFlow } from './testing/operators.flow.ts'
import { playgroundFlow } from './testing/playground.flow.ts'
import { policiesFlow } from './testing/policies.flow.ts'
import { type StudioStack, startStudioStack } from './testing/startStudioStack.ts'
import { type StudioTestContext, studioContext, type ViewFlow } from './testing/studioContext.ts'
import { tasksFlow } from './testing/tasks.flow.ts'
import { tryFromElsewhere } from './testing/tryFromElsewhere.ts'
import { webhooksFlow } from './testing/webhooks.flow.ts'

/**
 * In this order they are one story: the receiver of webhooks is there, a task is created in the form, decided and
 * spent, its policy is edited and past tasks are decided again, without an operator the quorum fails, and an
 * attestation expires.
 */
const flows: Readonly<Record<string, ViewFlow>> = {
  webhooks: webhooksFlow,
  newTask: newTaskFlow,
  playground: playgroundFlow,
  policies: policiesFlow,
  tasks: tasksFlow,
  operators: operatorsFlow,
  chain: chainFlow,
  conformance: conformanceFlow,
  console: consoleFlow,
}

describe('Studio in a browser', () => {
  if (chromiumPath === undefined) {
    it('works', ({ skip }) => skip(noChromium))
    return
  }

  let running: StudioStack
  let browser: Browser
  let page: Page
  let context: StudioTestContext
  const complaints: string[] = []
  const foreign: string[] = []

  beforeAll(async () => {
    running = await startStudioStack()
    browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] })
    page = await browser.newPage()
    page.on('console', (message) => {
      // An answer such as 404 is in the console, too: the page shows it where it matters.
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => {
      const url = new URL(request.url())
      const own = new URL(running.stack.studioUrl)
      if (url.host !== own.host && url.protocol !== 'blob:') foreign.push(request.url())
    })
    await page.goto(running.stack.studioUrl)
    await page.waitForSelector('main h1')
    context = studioContext(page, running.stack)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })

  it('views of a new stack look like their goldens: light, dark, and on a phone', async () => {
    expect(await compareWithGoldens(browser, running.stack, Object.keys(flows))).toEqual([])
    // Views that are late are looked at again, each for some time.
  }, 300_000)

  it.each(Object.keys(flows))('the flow of %s', async (view) => {
    await flows[view]!(page, context)
  })

  it('shows that it is behind while nothing can be read, and when it is not any more', async () => {
    await context.show('tasks')
    await page.route('**/api/**', (route) => route.abort())
    await page.getByText('Behind: what is shown is from before').waitFor()
    expect(await page.getByRole('region', { name: 'Tasks' }).count()).toBe(1)
    await page.unroute('**/api/**')
    await page.getByText('Behind: what is shown').waitFor({ state: 'detached' })
  })

  it('a view whose first reads failed recovers within seconds', async () => {
    await page.route('**/api/**', (route) => route.abort())
    await context.show('chain')
    await page.getByRole('alert').first().waitFor()
    await page.unroute('**/api/**')
    // The names of contracts are read once a minute.
    await page.getByRole('alert').first().waitFor({ state: 'detached', timeout: 20_000 })
    expect(await page.getByRole('region', { name: 'Blocks' }).count()).toBe(1)
  })

  it('the failed quorum of the flow of operators is in the inbox', async () => {
    await context.show('webhooks')
    const deliveries = page.getByRole('region', { name: 'Deliveries' })
    const failed = deliveries.getByRole('row').filter({ hasText: 'quorum_not_reached' })
    await failed.first().waitFor()
    await failed.first().getByRole('link').first().click()
    const delivery = page.getByRole('region', { name: 'Delivery', exact: true })
    await delivery.getByText('signature verified').waitFor()
  })

  it.each(Object.keys(flows))('axe finds no violation in %s', async (view) => {
    await context.show(view)
    expect(await violationsOf(page)).toEqual([])
  })

  it('a page of another origin can neither read nor change anything', async () => {
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>other</title>')
    })
    const { url } = await listen(other)
    const stranger = await browser.newPage()
    try {
      await stranger.goto(url)
      const { origin, hash } = new URL(running.stack.studioUrl)
      // Even with the token, which it cannot know.
      const given = { origin, token: hash.slice('#token='.length) }
      const got = await stranger.evaluate(tryFromElsewhere, given)
      expect(got).toEqual({
        ...{ simple: 'opaque', cors: 'refused', withToken: 'refused', page: 'refused' },
        ...{ socket: 'closed', frame: 'refused', script: 'refused', window: 'refused' },
      })
      const operators = await fetch(`${running.stack.controlUrl}/operators`)
      const states = (await operators.json()) as { running: boolean }[]
      expect(states.map((each) => each.running)).toEqual([true, true, true, true])
    } finally {
      await stranger.close()
      await drain(other)
    }
  })

  it('hides its token, complains about nothing, and asks no other host', async () => {
    expect(page.url()).not.toContain('token')
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] })
  })
})
