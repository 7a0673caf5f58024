import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { CannotRun } from '../core/conformanceError.ts'
import type { BaselineEntry } from '../core/events.ts'
import { baselineText, readBaseline } from './baseline.ts'
import { judgeBaseline } from './judgeBaseline.ts'

const directory = mkdtempSync(join(tmpdir(), 'baseline-'))
afterAll(() => rmSync(directory, { recursive: true }))

const known = ['rpc.one', 'rpc.two']
const entry = (change: Partial<BaselineEntry> = {}): BaselineEntry => ({
  check: 'rpc.one',
  reason: 'the next release fixes it',
  owner: 'gateway team',
  expires: '2026-12-01',
  ...change,
})
function read(text: string) {
  const path = join(directory, 'baseline.yaml')
  writeFileSync(path, text)
  return readBaseline(path, known)
}

describe('a baseline file', () => {
  test('is read back as written', () => {
    const entries = [entry(), entry({ check: 'rpc.two', issue: 'https://issues.example/2' })]
    expect(read(baselineText(entries))).toEqual(entries)
    expect(baselineText([entry()])).toMatchInlineSnapshot(`
      "# Failures that are known, each with an owner and an expiry date. An entry whose check
      # passes, or that has expired, fails the run.
      version: 1
      expected:
        - check: rpc.one
          reason: the next release fixes it
          owner: gateway team
          expires: 2026-12-01
      "
    `)
  })

  test.each([
    [
      'no owner',
      'version: 1\nexpected: [{check: rpc.one, reason: a long reason, expires: 2026-12-01}]',
      'owner',
    ],
    ['too short a reason', baselineText([entry({ reason: 'later' })]), 'reason'],
    ['no date', baselineText([entry({ expires: 'soon' })]), 'expires'],
    ['an impossible date', baselineText([entry({ expires: '2026-02-30' })]), 'is not a date'],
    ['an unknown member', 'version: 1\nexpected: []\nextra: 1', "'extra'"],
    ['a check twice', baselineText([entry(), entry()]), 'twice'],
    ['no YAML', 'a: [', 'is not valid YAML'],
    ['another version', 'version: 2\nexpected: []', 'version'],
  ])('with %s is rejected', (_, text, says) => {
    expect(() => read(text)).toThrow(CannotRun)
    expect(() => read(text)).toThrow(says)
  })

  test('that names an unknown check is rejected with the nearest name', () => {
    try {
      read(baselineText([entry({ check: 'rpc.onn' })]))
      expect.unreachable()
    } catch (error) {
      expect((error as CannotRun).hint).toBe("Did you mean 'rpc.one'?")
    }
  })

  test('that is missing is an error', () => {
    expect(() => readBaseline(join(directory, 'absent.yaml'), known)).toThrow('cannot read')
  })
})

describe('a baseline applied to a run', () => {
  const at = '2026-11-21T23:59:00.000Z'
  const judge = (entries: readonly BaselineEntry[], verdict: 'passed' | 'failed' | 'untestable') =>
    judgeBaseline(entries, [{ id: 'rpc.one', verdict }], at)

  test('excludes an expected failure from the verdict', () => {
    expect([...judge([entry()], 'failed').expected]).toEqual(['rpc.one'])
    expect([...judge([entry({ expires: '2026-11-21' })], 'failed').expected]).toEqual(['rpc.one'])
  })

  test('is stale if the check passes', () => {
    expect(judge([entry()], 'passed').stale).toEqual([entry()])
    expect(judge([entry()], 'failed').stale).toEqual([])
  })

  test('expires after its date, and the failure counts again', () => {
    const late = judge([entry({ expires: '2026-11-20' })], 'failed')
    expect([late.expected.size, late.expired.length]).toEqual([0, 1])
  })

  test('ignores checks that did not run or were untestable', () => {
    for (const judged of [
      judge([entry({ check: 'rpc.two' })], 'failed'),
      judge([entry()], 'untestable'),
    ])
      expect([judged.expected.size, judged.stale.length, judged.expired.length]).toEqual([0, 0, 0])
  })
})
