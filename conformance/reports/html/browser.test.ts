import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Evidence, RunEvent } from '../../core/events.ts'
import { exampleClauses, exampleRun } from '../exampleRun.fixture.ts'
import { reportOf } from '../report.ts'
import { largeRun } from './largeRun.fixture.ts'
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

/** Opens a page as one reader would; returns everything it tries to load, and every error. */
async function open(options: BrowserContextOptions, path = file) {
  const context = await browser!.newContext(options)
  const page = await context.newPage()
  const wrong: string[] = []
  const asked: string[] = []
  page.on('console', (message) => wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`file://${path}`)
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
/** Opens all parts of the page, by clicks or without scripts of the page. */
const openAll = (page: Page) =>
  page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")

type Axe = {
  readonly passes: readonly unknown[]
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: unknown; readonly failureSummary: string }[]
  }[]
}

/** What axe finds, and that it ran. */
async function violations(page: Page) {
  const found = (await page.evaluate('axe.run()')) as Axe
  expect(found.passes.length).toBeGreaterThan(10)
  return found.violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
  }))
}

// Both widths and both colour schemes; contrast does not depend on the width.
test.for([
  ['desktop', { width: 1280, height: 900 }, 'dark'],
  ['phone', { width: 390, height: 844 }, 'light'],
] as const)(
  'on a %s: fits the width, is accessible, loads nothing',
  async ([, viewport, colorScheme], { skip }) => {
    if (browser === undefined) return skip(absent)
    const { page, wrong, asked, close } = await open({ viewport, colorScheme })
    expect(asked).toEqual([`file://${file}`])
    expect(wrong).toEqual([])
    expect(await page.title()).toBe('NOT CONFORMANT: http://127.0.0.1:1')
    await openAll(page)
    await page.locator('p.seen').last().waitFor()
    await page.evaluate(axe.source)
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
    // The timeline fits its width, and shows a bar or a mark in each row.
    const rows = page.locator('.fold .waterfall .row:not(.axis)')
    expect(await rows.count()).toBe(11)
    for (const row of await rows.all()) {
      const box = await row.locator('svg > :last-child').boundingBox()
      expect(box!.width).toBeGreaterThan(1)
      expect(box!.x + box!.width).toBeLessThanOrEqual(viewport.width)
    }
    await close()
  },
)

test('a phone shows the first finding at once, and a long report is a few screens', async ({
  skip,
}) => {
  if (browser === undefined) return skip(absent)
  const large = join(directory, 'large.html')
  const report = reportOf(largeRun(), exampleClauses)
  // All of them, on the page: what is not at once is one step further.
  expect(report.groups.length).toBeGreaterThan(60)
  writeFileSync(large, htmlReport(report))
  const viewport = { width: 390, height: 844 }
  const { page, close } = await open({ viewport }, large)
  const finding = (await page.locator('.finding > summary').first().boundingBox())!
  expect(finding.y + finding.height).toBeLessThan(viewport.height / 2)
  const height = () => page.evaluate('document.documentElement.scrollHeight') as Promise<number>
  expect(await height()).toBeLessThan(6_000)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
  // A list of hundreds is by section, and one cause shows its first cases.
  await page.locator('.list.passed > summary').click()
  await page.locator('.finding > summary').first().click()
  expect(await height()).toBeLessThan(12_000)
  expect(await page.locator('.check').count()).toBe(1_200 + report.unreported.length)
  await close()
})

describe('without scripts', () => {
  test('checks are listed by cause and by verdict, and exchanges open', async ({ skip }) => {
    if (browser === undefined) return skip(absent)
    const { page, close } = await open({ javaScriptEnabled: false })
    expect(await shown(page)).toEqual([])
    for (const finding of await page.locator('.finding > summary').all()) await finding.click()
    expect(await shown(page)).toEqual(['failed', 'failed', 'failed'])
    await page.locator('.list.untestable > summary').click()
    expect(await shown(page)).toEqual(['failed', 'failed', 'failed', 'untestable'])
    await page.locator('.list.passed > summary').click()
    const card = page.locator('[id="check-rpc.createTask.allow"]')
    await card.locator('> summary').click()
    await card.locator('details.seen > summary').click()
    expect(await card.getByText('svc_createTask').isVisible()).toBe(true)
    expect(await page.locator('button.copy').first().isVisible()).toBe(false)
    await close()
  })

  test('a printed page has every check, with the evidence of failed ones', async ({ skip }) => {
    if (browser === undefined) return skip(absent)
    const { page, close } = await open({ javaScriptEnabled: false })
    await page.emulateMedia({ media: 'print' })
    expect(await shown(page)).toHaveLength(7)
    expect(await page.locator('.failed p.seen').last().isVisible()).toBe(true)
    expect(await page.locator('.failed .diff').first().isVisible()).toBe(true)
    expect(await page.locator('.matrix').isVisible()).toBe(true)
    // Of passed ones that would be thousands of pages.
    expect(await page.locator('pre.stored').first().isVisible()).toBe(false)
    await close()
  })
})

test('printing opens everything for browsers without the style for it, and closes it', async ({
  skip,
}) => {
  if (browser === undefined) return skip(absent)
  const { page, close } = await open({})
  const closed = () => page.locator('details:not([open])').count()
  const before = await closed()
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  expect(await closed()).toBe(await page.locator('pre.stored').count())
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
  expect(await closed()).toBe(before)
  await close()
})

test('by keyboard a finding opens, and its case', async ({ skip }) => {
  if (browser === undefined) return skip(absent)
  const { page, close } = await open({})
  await page.keyboard.press('Tab')
  expect(await page.locator('input:focus').count()).toBe(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const finding = page.locator('.finding').first()
  expect(await finding.evaluate((one) => (one as unknown as { open: boolean }).open)).toBe(true)
  expect(await shown(page)).toEqual(['failed'])
  // The next stop is its first case, which is open.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await finding.locator('.diff').isVisible()).toBe(false)
  await close()
})

test('with scripts a line can be copied, a check found, and a link opens what it refers to', async ({
  skip,
}) => {
  if (browser === undefined) return skip(absent)
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  const search = page.locator('input[type=search]')
  await search.fill('threshold')
  expect(await shown(page)).toEqual(['failed'])
  const card = page.locator('[id="check-rpc.createTask.params.threshold-101"]')
  await card.locator('button.copy').first().click()
  await card.getByText('copied', { exact: true }).waitFor()
  await search.fill('batch')
  expect(await shown(page)).toEqual(['passed'])
  expect(await page.locator('output').textContent()).toBe('1 check')
  // What matches is directly below.
  expect(await page.locator('.tiles').isVisible()).toBe(false)
  await search.fill('')
  expect(await page.locator('.tiles').isVisible()).toBe(true)
  expect(await page.locator('.list').count()).toBe(await page.locator('.list:visible').count())
  await page.evaluate("location.hash = 'check-chain.attestation.denied'")
  await page.locator('[id="check-chain.attestation.denied"] dl').waitFor()
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
  await page.locator('.list.passed > summary').click()
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
