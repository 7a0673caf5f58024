import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codePoint } from '../../arbitraries/codePoint.ts'
import type { CheckFinished, RunEvent, RunStarted } from '../../core/events.ts'
import {
  cleanRun,
  exampleClauses,
  exampleRun,
  interruptedRun,
  outageRun,
} from '../exampleRun.fixture.ts'
import { readEvents } from '../readEvents.ts'
import { reportOf } from '../report.ts'
import { htmlReport } from './page.ts'
import { notifyingTask } from './taskLife.ts'

const isCheck = (event: RunEvent): event is CheckFinished => event.type === 'check-finished'
const of = (events: readonly RunEvent[]) => reportOf(events, exampleClauses)

const coverage = {
  '2.5-13': { checks: 1, mutants: 2, killed: 2 },
  '4.1-02': { checks: 2, mutants: 1, killed: 1 },
  '4.2-02': { checks: 1, mutants: 1, killed: 0 },
  '4.2-14': { checks: 0, mutants: 0, killed: 0 },
}
const like = () => ({ id: 'webhook.retries-4xx', fault: 'retries every status', match: 0.97 })

describe('golden', () => {
  const runs = {
    example: exampleRun,
    interrupted: interruptedRun,
    clean: cleanRun,
    outage: outageRun,
  }
  test.each(Object.entries(runs))('of the %s run', async (name, events) => {
    const page = htmlReport(of(events), name === 'example' ? { coverage, like } : {})
    await expect(page).toMatchFileSnapshot(`../golden/${name}.report.html.golden`)
  })
})

test('the matrix shows what is known about each clause', () => {
  const page = htmlReport(of(exampleRun), { coverage })
  const cell = (id: string) => new RegExp(`class="cell (\\w+)" title="${id} `).exec(page)?.[1]
  expect(cell('4.1-02')).toBe('green')
  expect(cell('4.2-02')).toBe('amber')
  expect(cell('4.2-12')).toBe('refuted')
  expect(cell('4.2-13')).toBe('reasoned')
  expect(cell('4.1-12')).toBe('open')
  const passing = htmlReport(of(cleanRun), { coverage })
  expect(passing).toContain('class="cell unchecked" title="4.2-14 ')
  expect(htmlReport(of(cleanRun))).toContain('class="cell unknown" title="4.1-02 ')
})

test('one task is drawn from the evidence about it, and from nothing else', () => {
  const life = notifyingTask(exampleRun.filter(isCheck))!
  expect(life.check).toBe('webhook.retry.stops-on-4xx')
  expect(life.surfaces).toBe(5)
  const at = life.seen.map((seen) => seen.at)
  expect(at).toEqual([110, 150, 153, 160, 200, 260, 270, 371, 475, 686, 700])
  // Neither the registration before it, nor a call of another task, nor a block before its start.
  for (const other of [95, 100, 210]) expect(at).not.toContain(other)
})

/** The evidence that a page contains for a check that did not fail. */
function storedIn(page: string, id: string): unknown {
  const card = page.slice(page.indexOf(`id="check-${id}"`)).split('</section>')[0]!
  const json = /<pre class="stored">([^<]*)<\/pre>/.exec(card)![1]!
  return JSON.parse(json.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
}

test('exchanges of passed checks are kept unchanged, and dropped ones counted', () => {
  const page = htmlReport(of(exampleRun))
  const id = 'rpc.createTask.allow'
  const passed = exampleRun.filter(isCheck).find((result) => result.id === id)!
  expect(storedIn(page, id)).toEqual(passed.evidence)
  expect(page).toContain('31 between the first and the last were dropped')
})

describe('whatever a target sent', () => {
  /** A log with this text wherever a target can put one. */
  const saying = (text: string): readonly RunEvent[] =>
    exampleRun.map((event) =>
      event.type === 'run-started'
        ? { ...event, gatewayUrl: text, missing: { [text]: text } }
        : isCheck(event)
          ? {
              ...event,
              title: text,
              reason: text,
              expected: text,
              observed: `${text}.`,
              curl: text,
              counterexample: text,
              observations: [text],
              twin: { name: text, accepted: false },
              evidence: [
                { kind: 'frame', at: 1, from: 'gateway', text },
                {
                  kind: 'webhook',
                  at: 2,
                  path: text,
                  headers: { [text]: text },
                  body: text,
                  answered: 200,
                },
                {
                  kind: 'exchange',
                  at: 3,
                  request: {
                    method: text,
                    url: text,
                    headers: { [text]: text },
                    body: text,
                    key: undefined,
                  },
                  status: 200,
                  headers: { 'x-a': text },
                  body: `{"task_id":"0x${'a'.repeat(64)}","method":"${text}"}`,
                  ms: 1,
                },
              ],
            }
          : event,
    )
  const tags = (page: string) =>
    page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '').match(/<[a-z!/][^>]*>/gi) ?? []
  const harmless = tags(htmlReport(of(saying('harmless'))))
    .map((tag) => /^<\/?[\w!]+/.exec(tag)![0])
    .join()

  test('is text: it adds no element and no attribute', () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        '</pre></details><iframe src=javascript:alert(1)>',
        '<!--',
        '</style><script>',
        '&lt;script&gt;',
        '\u202e\ud800\u0000',
      ),
      fc
        .string({ unit: codePoint, minLength: 1, maxLength: 40 })
        .filter((text) => !text.includes('\n')),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const page = htmlReport(of(saying(`x${text}x`)))
        const found = tags(page)
        expect(found.map((tag) => /^<\/?[\w!]+/.exec(tag)![0]).join()).toBe(harmless)
        expect(
          found.some((tag) => /\son\w+=|javascript:/i.test(tag.replace(/"[^"]*"/g, '""'))),
        ).toBe(false)
      }),
      { numRuns: 30 },
    )
  })
})

test('1,100 checks with all their evidence stay below 15 MB', () => {
  const checks = exampleRun.filter(isCheck)
  const one = checks[1]!.evidence[0]!
  const seen = (count: number, body: string) =>
    Array.from({ length: count }, (_, i) => ({ ...one, at: i, body })) as CheckFinished['evidence']
  const pageOf = (evidence: CheckFinished['evidence']) => {
    const many = Array.from({ length: 1_100 }, (_, i) => ({
      ...checks[0]!,
      id: `rpc.${i}`,
      verdict: 'passed' as const,
      evidence,
    }))
    return htmlReport(of([exampleRun[0]!, ...many, exampleRun.at(-1)!]))
  }
  const usual = pageOf(seen(6, `{"result":"${'a'.repeat(700)}"}`))
  expect(Buffer.byteLength(usual)).toBeLessThan(15_000_000)
  expect(storedIn(usual, 'rpc.7')).toHaveLength(6)
  const worst = pageOf(seen(25, '<'.repeat(4_000)))
  expect(Buffer.byteLength(worst)).toBeLessThan(15_000_000)
  const some = storedIn(worst, 'rpc.7') as readonly { readonly body: string }[]
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(25)
  expect(some[0]!.body).toMatch(/^<+… \(4000 characters\)$/)
  expect(worst).toContain('of them only in the event log')
})

test('evidence that stays bytes of the log gives the same page', () => {
  // Each makes another check of it need an escape, or none.
  const texts = [
    'plain',
    '<',
    '>',
    '&',
    '##[x]',
    '\x7f',
    'é€\u{1f600}',
    '\u202e',
    '\ud800',
    '\u0007\t',
  ]
  const [started, , , ...rest] = exampleRun
  const passed = exampleRun.filter(isCheck).find(({ verdict }) => verdict === 'passed')!
  const results = texts.map((text, i) => ({
    ...passed,
    id: `${passed.id}.${i}`,
    evidence: [{ kind: 'frame', at: i, from: 'gateway', text: `${text}"${text}` } as const],
  }))
  const log = [started!, ...results, ...rest].map((event) => `${JSON.stringify(event)}\n`).join('')
  const page = (lean: boolean) => htmlReport(of(readEvents(log, 'the log', { lean }).events))
  expect(page(true)).toBe(page(false))
  expect(page(true)).toContain('plain\\"plain')
})

test('what a target lacks for one reason is one row', () => {
  const [started, ...rest] = exampleRun as [RunStarted, ...RunEvent[]]
  const missing = {
    chain: 'the target has no RPC URL of its chain',
    'client:cap': 'the target has no client cap',
    'client:allow-list': 'the target has no client allow-list',
  }
  const page = htmlReport(of([{ ...started, missing }, ...rest]))
  expect(page).toContain('<dt>Lacks chain</dt>')
  expect(page).toContain(
    '<dt>Lacks 2</dt><dd>client:cap, client:allow-list: the target has no client cap</dd>',
  )
})
