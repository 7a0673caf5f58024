import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from './testing/accessibility.ts'
import { chainFlow } from './testing/chain.flow.ts'
import { chromiumPath, noChromium } from './testing/chromium.ts'
import { conformanceFlow } from './testing/conformance.flow.ts'
import { consoleFlow } from './testing/console.flow.ts'
import { newTaskFlow } from './testing/newTask.flow.ts'
import { operatorsFlow } from './testing/operators.flow.ts'
import { playgroundFlow } from './testing/playground.flow.ts'
import { policiesFlow } from './testing/policies.flow.ts'
import { type StudioStack, startStudioStack } from './testing/startStudioStack.ts'
import { type StudioTestContext, studioContext, type ViewFlow } from './testing/studioContext.ts'
import { tasksFlow } from './testing/tasks.flow.ts'
import { webhooksFlow } from './testing/webhooks.flow.ts'

const flows: Readonly<Record<string, ViewFlow>> = {
  tasks: tasksFlow,
  playground: playgroundFlow,
  newTask: newTaskFlow,
  policies: policiesFlow,
  webhooks: webhooksFlow,
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
      if (message.type() === 'error') complaints.push(message.text())
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

  it.each(Object.keys(flows))('the flow of %s', async (view) => {
    await flows[view]!(page, context)
  })

  it.each(Object.keys(flows))('axe finds no violation in %s', async (view) => {
    await context.show(view)
    expect(await violationsOf(page)).toEqual([])
  })

  it('hides its token, complains about nothing, and asks no other host', async () => {
    expect(page.url()).not.toContain('token')
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] })
  })
})
