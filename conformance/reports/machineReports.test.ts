import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { validateStrict } from 'ctrf'
import fc from 'fast-check'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import { codePoint } from '../arbitraries/codePoint.ts'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import { badgeReport } from './badge.ts'
import { ctrfReport } from './ctrf.ts'
import { cleanRun, exampleClauses, exampleRun, interruptedRun } from './exampleRun.fixture.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { type Report, reportOf } from './report.ts'
import { reportSchema } from './reportSchema.ts'
import { sarifReport } from './sarif.ts'

const here = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const runs = Object.entries({ example: exampleRun, interrupted: interruptedRun, clean: cleanRun })
const reportOfRun = (events: readonly RunEvent[]) => reportOf(events, exampleClauses)

const isCheck = (event: RunEvent): event is CheckFinished => event.type === 'check-finished'

/** The example with every text replaced by one from a hostile gateway. */
const saying = (text: string): Report =>
  reportOfRun(
    exampleRun.map((event) =>
      isCheck(event)
        ? {
            ...event,
            reason: text,
            expected: text,
            observed: `${text}.`,
            counterexample: text,
            curl: text,
            observations: [text],
            twin: { name: text, accepted: true },
          }
        : event.type === 'run-started'
          ? { ...event, gatewayUrl: text }
          : event,
    ),
  )

const hostile = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc.constantFrom(
    ']]>',
    '\ud800',
    '\u0000\u001f\u007f\u0085\ufffe\uffff',
    '&amp;',
    '\r\n\t',
    '"\'<!--',
  ),
)

describe('JUnit', () => {
  const schema = XmlDocument.fromString(here('schema/junit.xsd'))
  const validator = XsdValidator.fromDoc(schema)
  const read = (xml: string) => {
    const document = XmlDocument.fromString(xml)
    validator.validate(document)
    return document
  }

  test.each(runs)('of the %s run is valid', (_, events) => {
    read(junitReport(reportOfRun(events))).dispose()
  })

  test('the schema rejects invalid counts and two outcomes of one case', () => {
    const xml = junitReport(reportOfRun(exampleRun))
    for (const wrong of [
      xml.replace('failures="3"', 'failures="three"'),
      xml.replace('errors="0"', ''),
      xml.replace(/<skipped [^>]*>/, '$&$&'),
      xml.replace(' classname="4.2-12"', ''),
    ]) {
      expect(wrong).not.toBe(xml)
      expect(() => read(wrong)).toThrow()
    }
  })

  test('a viewer reads back section, check, clause, message and difference', () => {
    const document = read(junitReport(reportOfRun(exampleRun)))
    const value = (path: string) => document.eval(path)
    expect(value('string(/testsuites/testsuite[3]/@name)')).toBe('section 4.2')
    const failed = "//testcase[@name='rpc.createTask.params.threshold-101']"
    expect(value(`string(${failed}/@classname)`)).toBe('4.2-12')
    expect(value(`string(${failed}/failure/@message)`)).toBe(
      'svc_createTask: the error object is wrong',
    )
    expect(value(`string(${failed}/failure/@type)`)).toBe('must')
    expect(value(`string(${failed}/failure)`)).toContain('- $.code     -32602\n+ $.code     -32603')
    expect(value("string(//testcase[@name='rpc.quorum.killed.all']/skipped/@message)")).toBe(
      'not-applicable: operators of production are not stopped',
    )
    expect(value("string(//property[@name='seed']/@value)")).toBe('0x005eed42')
    document.dispose()
  })

  test('a check that did not report is an error, and the totals include it', () => {
    const document = read(junitReport(reportOfRun(interruptedRun)))
    expect(document.eval('count(//testcase/error)')).toBe(4)
    expect(document.eval('string(/testsuites/@errors)')).toBe('4')
    expect(document.eval('string(/testsuites/@tests)')).toBe('7')
    document.dispose()
  })

  test('is valid XML, whatever a gateway sent', () => {
    fc.assert(
      fc.property(hostile, (text) => read(junitReport(saying(text))).dispose()),
      { numRuns: 60 },
    )
  })

  test('a huge text is truncated, and its length is shown', () => {
    const xml = junitReport(saying('<&'.repeat(500_000)))
    expect(xml.length).toBeLessThan(7 * 6 * 120_000)
    expect(xml).toContain('… (1000000 characters)')
    read(xml).dispose()
  })
})

describe('JSON', () => {
  const ajv = new Ajv({ allErrors: true })
  formats.default(ajv)
  const validate = ajv.compile(reportSchema)

  test('the published schema is up to date', () => {
    expect(JSON.parse(here('schema/report.schema.json'))).toEqual(
      JSON.parse(JSON.stringify(reportSchema)),
    )
  })
  test.each(runs)('of the %s run is valid', (_, events) => {
    validate(JSON.parse(jsonReport(reportOfRun(events))))
    expect(validate.errors).toBeNull()
  })
  test('a report with a missing member or an unknown verdict is invalid', () => {
    const json = JSON.parse(jsonReport(reportOfRun(exampleRun)))
    expect(validate({ ...json, seed: undefined })).toBe(false)
    expect(validate({ ...json, checks: [{ ...json.checks[0], verdict: 'fine' }] })).toBe(false)
  })
  test('contains the end, the counts, the score and every check', () => {
    const json = JSON.parse(jsonReport(reportOfRun(exampleRun)))
    expect(json).toMatchObject({
      complete: true,
      exitCode: 1,
      verdict: 'NOT CONFORMANT',
      summary: { passed: 2, failed: { must: 2, should: 1 }, untestable: 1, notApplicable: 1 },
      score: { planned: 7, provable: 5, proven: 2 },
    })
    expect(json.checks).toHaveLength(7)
  })
  test('of an incomplete run is not complete', () => {
    const json = JSON.parse(jsonReport(reportOfRun(exampleRun.slice(0, 3))))
    expect([json.complete, json.finishedAt, json.exitCode]).toEqual([false, null, 130])
    expect(json.unreported).toHaveLength(5)
  })
})

describe('CTRF', () => {
  test.each(runs)('of the %s run is valid, and its totals match its tests', (_, events) => {
    const report = JSON.parse(ctrfReport(reportOfRun(events)))
    validateStrict(report)
    const { tests, passed, failed, skipped, pending, other } = report.results.summary
    expect(passed + failed + skipped + pending + other).toBe(tests)
    expect(report.results.tests).toHaveLength(tests)
  })
  test('untestable and unreported checks are neither passed nor skipped', () => {
    const statuses = (events: readonly RunEvent[]) =>
      JSON.parse(ctrfReport(reportOfRun(events))).results.tests.map(
        (one: { rawStatus: string; status: string }) => [one.rawStatus, one.status].join(' -> '),
      )
    expect([...new Set(statuses(exampleRun))].sort()).toEqual([
      'failed -> failed',
      'not-applicable -> skipped',
      'passed -> passed',
      'untestable -> other',
    ])
    expect(statuses(interruptedRun)).toContain('did not report -> other')
  })
})

describe('SARIF', () => {
  // The published schema is of draft 4, whose only difference here is the name of its id.
  const {
    id: _,
    $schema: __,
    ...schema
  } = JSON.parse(
    readFileSync(
      createRequire(import.meta.url)
        .resolve('@microsoft/jest-sarif/package.json')
        .replace('package.json', 'lib/schemas/sarif-2.1.0-rtm.5.json'),
      'utf8',
    ),
  )
  // One of its patterns is valid without the flag u alone.
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  const read = (report: Report) => {
    const sarif = JSON.parse(sarifReport(report))
    validate(sarif)
    expect(validate.errors).toBeNull()
    return sarif.runs[0]
  }

  test.each(runs)('of the %s run is valid', (_, events) => {
    read(reportOfRun(events))
  })
  test('the schema rejects another level and a result without a message', () => {
    const sarif = JSON.parse(sarifReport(reportOfRun(exampleRun)))
    const [result] = sarif.runs[0].results
    for (const wrong of [
      { ...result, level: 'must' },
      { ...result, message: undefined },
    ])
      expect(validate({ ...sarif, runs: [{ ...sarif.runs[0], results: [wrong] }] })).toBe(false)
  })
  test('levels, rules with clauses as help, required failures first', () => {
    const { results, tool, invocations } = read(reportOfRun(exampleRun))
    expect(results.map(({ level }: { level: string }) => level)).toEqual([
      'error',
      'error',
      'warning',
    ])
    for (const { ruleId, ruleIndex } of results)
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
    const rule = tool.driver.rules[results[0].ruleIndex]
    expect(rule.help.text).toMatch(/^\d[\d.]*-\d\d: A /)
    expect(invocations[0]).toMatchObject({ executionSuccessful: true, exitCode: 1 })
    expect(read(reportOfRun(interruptedRun)).invocations[0].executionSuccessful).toBe(false)
  })
  test('fingerprints are those of the check, whatever was observed and with which seed', () => {
    const of = (report: Report) =>
      read(report).results.map((r: { ruleId: string; partialFingerprints: object }) => [
        r.ruleId,
        r.partialFingerprints,
      ])
    const other = exampleRun.map((event) =>
      event.type === 'run-started' ? { ...event, seed: '0x1', gatewayUrl: 'http://x' } : event,
    )
    expect(of(saying('something else'))).toEqual(of(reportOfRun(other)))
    expect(new Set(of(reportOfRun(other)).map(JSON.stringify)).size).toBe(3)
  })
  test('a known failure is suppressed, with its reason', () => {
    const entry = { owner: 'us', expires: '2027-01-31', reason: 'next release' }
    const known = exampleRun.map((event) =>
      event.type === 'run-started'
        ? { ...event, baseline: [{ ...entry, check: 'rpc.createTask.params.threshold-101' }] }
        : event,
    )
    const { results } = read(reportOfRun(known))
    expect(results.flatMap((r: { suppressions?: object[] }) => r.suppressions ?? [])).toEqual([
      { kind: 'external', justification: 'next release (until 2027-01-31)' },
    ])
  })
  test('is valid and of bounded size, whatever a gateway sent and however much failed', () => {
    fc.assert(
      fc.property(hostile, (text) => void read(saying(text))),
      { numRuns: 40 },
    )
    const failed = exampleRun.find((event) => isCheck(event) && event.verdict === 'failed')!
    const many = Array.from({ length: 5_000 }, (_, i) => ({
      ...(failed as CheckFinished),
      id: `acme.${i}`,
      reason: 'x'.repeat(10_000),
      observed: 'b'.repeat(5_000),
    }))
    const text = sarifReport(reportOfRun([exampleRun[0]!, ...many]))
    expect(text.length).toBeLessThan(10_000_000)
    expect(text).toContain('3000 more failures are in the other reports')
  })
})

describe('markdown', () => {
  test('nothing that a gateway sent becomes markup, a table row or the end of a block', () => {
    const text =
      '</details> | <img src=x> [a](javascript:b) ``` @team #1 https://x.example\n## heading'
    const page = markdownReport(saying(text))
    expect(page).not.toMatch(/^## heading/m)
    const [outside = ''] = page.split('```')
    for (const mark of ['<img', '[a](', '@team', 'https://x', '</details> |'])
      expect(outside.replaceAll(/`[^`]*`/g, '')).not.toContain(mark)
    for (const row of page.split('\n').filter((line) => line.startsWith('| 1')))
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(3)
  })
  test('fits a step summary, however much failed', () => {
    const failed = exampleRun.find((event) => isCheck(event) && event.verdict === 'failed')!
    const many = Array.from({ length: 1_000 }, (_, i) => ({
      ...(failed as CheckFinished),
      id: `rpc.${i}`,
      // Each is a cause of its own.
      reason: 'x'.repeat(10_000 + i),
      expected: 'a'.repeat(5_000),
      observed: 'b'.repeat(5_000),
    }))
    const page = markdownReport(reportOfRun([exampleRun[0]!, ...many]))
    expect(page.length).toBeLessThan(200_000)
    expect(page).toContain('And 950 more causes.')
  })
})

test('a badge is green only for a complete run without findings', () => {
  const of = (events: readonly RunEvent[]) => JSON.parse(badgeReport(reportOfRun(events)))
  expect(of(cleanRun)).toMatchObject({ color: 'green', isError: false })
  expect(of(cleanRun).message).toBe('conformant to base, 3 of 9 clauses proven, until 2027-02-19')
  expect(of(exampleRun).color).toBe('red')
  expect(of(interruptedRun).color).toBe('yellow')
  expect(of(cleanRun.slice(0, -1)).color).toBe('yellow')
})
