import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Evidence, RunEvent } from '../../core/events.ts'
import { exampleClauses, exampleRun } from '../exampleRun.fixture.ts'
import { reportOf } from '../report.ts'
import { htmlReport } from './page.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path))
const absent = 'chromium is not installed: apt-get install chromium, or set CHROMIUM to its path'

const directory = mkdtempSync(join(tmpdir(), 'svc-page-'))
const file = join(directory, 'report.html')
let browser: Browser | undefined

beforeAll(async () => {
  const hostile = exampleRun.map((event) =>
    event.type === 'check-finished' && event.verdict === 'failed'
      ? {
          ...event,
          reason:
            '"><script>document.title="run"</script><img src=x onerror="document.title=\'run\'">',
          curl: `curl 'javascript:document.title="run"' # ${'long '.repeat(80)}`,
        }
      : event,
  )
  writeFileSync(file, htmlReport(reportOf(hostile, exampleClauses)))
  if (executablePath !== undefined)
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Opens the page as one reader would; returns everything it tries to load, and every error. */
async function open(options: BrowserContextOptions) {
  const context = await browser!.newContext(options)
  const page = await context.newPage()
  const wrong: string[] = []
  const asked: string[] = []
  page.on('console', (message) => wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`file://${file}`)
  return { page, wrong, asked, close: () => context.close() }
}

const shown = (page: Page) =>
  page
    .locator('.check')
    .evaluateAll((all) =>
      (all as { checkVisibility: () => boolean; className: string }[])
        .filter((one) => one.checkVisibility())
        .map((one) => one.className.replace('check ', '')),
    )
const contrast = (page: Page) =>
  page.evaluate(`(() => {
    const rgb = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number)
    const light = (c) => c.map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      .reduce((n, v, i) => n + v * [0.2126, 0.7152, 0.0722][i], 0)
    const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor
      if (!/, 0\\)$/.test(c) && c !== 'transparent') return rgb(c) } return [255, 255, 255] }
    return [...document.querySelectorAll('h1,.banner strong,.verdict,.title,.at,.outcome,.cell,.diff td,.word,dt,label')]
      .filter((e) => e.checkVisibility())
      .map((e) => { const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e))
        return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.className || e.tagName] })
      .sort((a, b) => a[0] - b[0])[0]
  })()`) as Promise<[number, string]>

describe.each([
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
])('on a %s', (_, viewport) => {
  test.for(['light', 'dark'] as const)(
    'in %s: fits the width, has contrast, loads nothing',
    async (colorScheme, { skip }) => {
      if (browser === undefined) return skip(absent)
      const { page, wrong, asked, close } = await open({ viewport, colorScheme })
      expect(asked).toEqual([`file://${file}`])
      expect(wrong).toEqual([])
      expect(await page.title()).toBe('NOT CONFORMANT: http://127.0.0.1:1')
      // No horizontal overflow, and sufficient contrast of every text.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
      const [ratio, what] = await contrast(page)
      expect(ratio, what).toBeGreaterThan(4.5)
      // The timeline fits its width, and shows a bar or a mark in each row.
      const rows = page.locator('.waterfall').first().locator('.row:not(.axis)')
      expect(await rows.count()).toBe(11)
      for (const row of await rows.all()) {
        const box = await row.locator('svg > :last-child').boundingBox()
        expect(box!.width).toBeGreaterThan(1)
        expect(box!.x + box!.width).toBeLessThanOrEqual(viewport.width)
      }
      await close()
    },
  )
})

describe('without scripts', () => {
  test('checks are filtered by verdict, and exchanges open', async ({ skip }) => {
    if (browser === undefined) return skip(absent)
    const { page, close } = await open({ javaScriptEnabled: false })
    expect(await shown(page)).toHaveLength(7)
    await page.locator('label[for=show-failed]').click()
    expect(await shown(page)).toEqual(['failed', 'failed', 'failed'])
    await page.locator('label[for=show-passed]').click()
    expect(await shown(page)).toEqual(['passed', 'passed'])
    const card = page.locator('[id="check-rpc.createTask.allow"]')
    await card.locator('> summary').click()
    await card.locator('details.seen > summary').click()
    expect(await card.getByText('svc_createTask').isVisible()).toBe(true)
    expect(await page.locator('button.copy').first().isVisible()).toBe(false)
    await close()
  })
})

test('with scripts a line can be copied, and a check found', async ({ skip }) => {
  if (browser === undefined) return skip(absent)
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  const card = page.locator('[id="check-webhook.retry.stops-on-4xx"]')
  await card.locator('button.copy').first().click()
  await card.getByText('copied', { exact: true }).waitFor()
  await page.locator('input[type=search]').fill('threshold')
  expect(await shown(page)).toEqual(['failed'])
  await close()
})

/** A check of each verdict with the same evidence, of every kind, with markup and control characters. */
function twins(): readonly RunEvent[] {
  const hostile = '<img src=x onerror=alert(1)> ##[group] \u202e\u2028 &lt; \u0007'
  const request = {
    method: 'POST',
    url: `http://127.0.0.1:1/rpc?${hostile}`,
    headers: { 'content-type': 'application/json', 'x-a': hostile },
    body: JSON.stringify({ method: hostile, params: [1, { deep: [hostile] }] }),
    key: 'SVC_KEY_READ',
  }
  const headers = { 'content-type': 'text/html', date: 'x', 'x-request-id': hostile }
  const evidence: readonly Evidence[] = [
    { kind: 'exchange', at: 1.6, request, status: 200, headers, body: hostile, ms: 5 },
    {
      kind: 'exchange',
      at: 2,
      request: { ...request, method: 'GET', body: '', keyHeader: 'x-api-key' },
      status: 404,
      headers: {},
      body: '',
      ms: 5,
    },
    { kind: 'unanswered', at: 3, request, why: hostile, accepted: true, ms: 9 },
    { kind: 'frame', at: 4, from: 'suite', text: '{"a":[]}' },
    { kind: 'frame', at: 5, from: 'gateway', text: '[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]' },
    { kind: 'webhook', at: 6, path: `/${hostile}`, headers, body: '{"a":1}', answered: null },
    { kind: 'block', at: 7, number: 12 },
  ]
  return exampleRun.map((event) =>
    event.type === 'check-finished' ? { ...event, evidence, evidenceDropped: 0 } : event,
  )
}

test('evidence of a passed check is shown as that of a failed one once it is opened', async ({
  skip,
}) => {
  if (browser === undefined) return skip(absent)
  const other = join(directory, 'twins.html')
  writeFileSync(other, htmlReport(reportOf(twins(), exampleClauses)))
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('console', (message) => wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  await page.goto(`file://${other}`)
  const markup = (verdict: string) =>
    page
      .locator(`.check.${verdict} details.seen`)
      .first()
      .evaluate((one) =>
        (one as unknown as { innerHTML: string }).innerHTML
          .replace(/^<summary>.*?<\/summary>/, '')
          .replaceAll(/ class=""|\n(?=<p class="seen)/g, ''),
      )
  const passed = page.locator('.check.passed').first()
  await passed.locator('> summary').click()
  expect(await passed.locator('pre.stored').count()).toBe(1)
  await passed.locator('details.seen > summary').click()
  await passed.locator('p.seen').first().waitFor()
  expect(await passed.locator('pre.stored').count()).toBe(0)
  expect(await markup('passed')).toBe(await markup('failed'))
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(wrong).toEqual([])
  await context.close()
})
