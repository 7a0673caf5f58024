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
  reason: 'the next release mends it',
  owner: 'gateway team',
  expires: '2026-12-01',
  ...change,
})
const read = (text: string) => {
  const path = join(directory, 'baseline.yaml')
  writeFileSync(path, text)
  return readBaseline(path, known)
}

describe('a baseline file', () => {
  test('is read as it is written', () => {
    const entries = [entry(), entry({ check: 'rpc.two', issue: 'https://issues.example/2' })]
    expect(read(baselineText(entries))).toEqual(entries)
    expect(baselineText([entry()])).toMatchInlineSnapshot(`
      "# Failures that are known, each with an owner and a day by which it is mended. An entry whose check
      # passes, or whose day is over, fails the run.
      version: 1
      expected:
        - check: rpc.one
          reason: the next release mends it
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
    ['no reason to speak of', baselineText([entry({ reason: 'later' })]), 'reason'],
    ['no day', baselineText([entry({ expires: 'soon' })]), 'expires'],
    ['a day that there is not', baselineText([entry({ expires: '2026-02-30' })]), 'is no day'],
    ['an unknown member', 'version: 1\nexpected: []\nextra: 1', "'extra'"],
    ['a check twice', baselineText([entry(), entry()]), 'twice'],
    ['no YAML', 'a: [', 'is no YAML'],
    ['another version', 'version: 2\nexpected: []', 'version'],
  ])('with %s is refused', (_, text, says) => {
    expect(() => read(text)).toThrow(CannotRun)
    expect(() => read(text)).toThrow(says)
  })

  test('that names no check is refused with the nearest name', () => {
    try {
      read(baselineText([entry({ check: 'rpc.onn' })]))
      expect.unreachable()
    } catch (error) {
      expect((error as CannotRun).hint).toBe("Did you mean 'rpc.one'?")
    }
  })

  test('that is not there is told of', () => {
    expect(() => readBaseline(join(directory, 'absent.yaml'), known)).toThrow('cannot read')
  })
})

describe('a baseline against a run', () => {
  const at = '2026-11-21T23:59:00.000Z'
  const judge = (entries: readonly BaselineEntry[], verdict: 'passed' | 'failed' | 'untestable') =>
    judgeBaseline(entries, [{ id: 'rpc.one', verdict }], at)

  test('takes a failure that it expects out of the verdict', () => {
    expect([...judge([entry()], 'failed').expected]).toEqual(['rpc.one'])
    expect([...judge([entry({ expires: '2026-11-21' })], 'failed').expected]).toEqual(['rpc.one'])
  })

  test('is stale where the check passes', () => {
    expect(judge([entry()], 'passed').stale).toEqual([entry()])
    expect(judge([entry()], 'failed').stale).toEqual([])
  })

  test('is over after its day, and the failure counts again', () => {
    const late = judge([entry({ expires: '2026-11-20' })], 'failed')
    expect([late.expected.size, late.expired.length]).toEqual([0, 1])
  })

  test('says nothing of what was not asked or could not be', () => {
    for (const judged of [
      judge([entry({ check: 'rpc.two' })], 'failed'),
      judge([entry()], 'untestable'),
    ])
      expect([judged.expected.size, judged.stale.length, judged.expired.length]).toEqual([0, 0, 0])
  })
})
