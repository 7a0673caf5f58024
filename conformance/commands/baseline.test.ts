import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readBaseline } from '../baseline/baseline.ts'
import { checks } from '../checks/catalogue.ts'
import { planned } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Verdict } from '../core/verdict.ts'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { updateBaseline } from './baseline.ts'

const directory = mkdtempSync(join(tmpdir(), 'baseline-command-'))
afterAll(() => rmSync(directory, { recursive: true }))
const file = join(directory, 'baseline.yaml')
const [first, second, third] = checks.map(planned)
const ids = checks.map(({ id }) => id)

function runOf(verdicts: readonly [typeof first, Verdict][]) {
  const [started] = exampleRun
  const template = exampleRun.find((event) => event.type === 'check-finished')!
  const events = [
    { ...started, checks: verdicts.map(([check]) => check) },
    ...verdicts.map(([check, verdict]) => ({ ...template, ...check, verdict })),
  ]
  const path = join(directory, 'events.ndjson')
  writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  return path
}
const told: string[] = []
const update = (run: string, expires = '2099-01-31') =>
  updateBaseline(
    { run, file, owner: 'us', reason: 'it is known to us', expires },
    { stdout: { write: (text) => told.push(text) } },
  )

test('failures are added, fixed ones removed, and checks that did not run stay', () => {
  update(
    runOf([
      [first, 'failed'],
      [second, 'failed'],
      [third, 'passed'],
    ]),
  )
  expect(
    readBaseline(file, ids)
      .map(({ check }) => check)
      .sort(),
  ).toEqual([first!.id, second!.id].sort())
  update(
    runOf([
      [first, 'passed'],
      [third, 'failed'],
    ]),
  )
  expect(
    readBaseline(file, ids)
      .map(({ check }) => check)
      .sort(),
  ).toEqual([second!.id, third!.id].sort())
  expect(told.at(-1)).toBe(`${file}: 1 added, 1 fixed, 2 in all\n`)
})

test('what could not be read again is not written', () => {
  const before = readBaseline(file, ids)
  expect(() => update(runOf([[first, 'failed']]), 'soon')).toThrow('--expires "soon": not a date')
  expect(readBaseline(file, ids)).toEqual(before)
  expect(readdirSync(directory).sort()).toEqual(['baseline.yaml', 'events.ndjson'])
})

test.each([
  { option: { expires: '2026-13-01' }, says: '--expires "2026-13-01": not a date' },
  { option: { expires: '2026-02-30' }, says: '--expires "2026-02-30": not a date' },
  { option: { expires: '31.1.2027' }, says: '--expires "31.1.2027": not a date' },
  { option: { owner: ' ' }, says: '--owner is empty' },
  { option: { reason: 'soon' }, says: '--reason "soon": shorter than 10 characters' },
  { option: { issue: '#12' }, says: '--issue "#12": not a URL' },
])('$option is refused by the name of its option, before the run is read', ({ option, says }) => {
  const options = {
    run: join(directory, 'nosuch'),
    file,
    owner: 'us',
    reason: 'it is known to us',
    expires: '2099-01-31',
    ...option,
  }
  const run = () => updateBaseline(options, { stdout: { write: () => true } })
  expect(run).toThrow(says)
  expect(run).toThrow(CannotRun)
})
