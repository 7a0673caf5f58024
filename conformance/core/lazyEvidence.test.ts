import { expect, test } from 'vitest'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { readEvents } from '../reports/readEvents.ts'
import type { CheckFinished, Evidence, RunEvent } from './events.ts'
import { evidenceSurfaces, resultLine, shiftResult, withoutEvidence } from './lazyEvidence.ts'
import { surfacesOf } from './surfaces.ts'

const isCheck = (event: RunEvent): event is CheckFinished => event.type === 'check-finished'

/** Texts that look like the members around the evidence, and like its times. */
const lookalike = ',"evidence":[{"at":5},"failedCase":[],"evidenceDropped":7 {"at":5 \\","at":6'
const confusing: readonly Evidence[] = [
  {
    kind: 'exchange',
    at: 12.5,
    request: { method: 'POST', url: lookalike, headers: { at: '5' }, body: lookalike, key: 'K' },
    status: 200,
    headers: { at: '7', [lookalike]: lookalike },
    body: JSON.stringify({ evidence: [{ at: 5 }], evidenceDropped: 1, text: lookalike }),
    ms: 3,
  },
  { kind: 'block', at: 1e21, number: 5 },
  { kind: 'frame', at: -3, from: 'gateway', text: '\u202e\u2028é' },
]
const events = exampleRun.map((event) =>
  isCheck(event) && event.verdict === 'passed' ? { ...event, evidence: confusing } : event,
)
const log = `${events.map((event) => JSON.stringify(event)).join('\n')}\n`
const read = (lean: boolean, of: string | Buffer = log) =>
  readEvents(of, 'the log', { lean }).events.filter(isCheck)
const isUnread = (result: CheckFinished) => resultLine(result).length > 1
const lineOf = (result: CheckFinished) =>
  Buffer.concat(resultLine(result).map((piece) => Buffer.from(piece as string))).toString()

test('a log that is read without its evidence is written unchanged', () => {
  const results = read(true)
  expect(results.filter(isUnread).length).toBeGreaterThan(1)
  expect(results.map(lineOf)).toEqual(events.filter(isCheck).map((e) => JSON.stringify(e)))
  // The line breaks of another system are not part of it.
  const other = read(true, log.replaceAll('\n', '\r\n'))
  expect(other.map(lineOf)).toEqual(results.map(lineOf))
})

test('evidence is parsed when it is read', () => {
  expect(read(true).map(({ evidence }) => evidence)).toEqual(read(false).map((e) => e.evidence))
  expect(read(true).map((result) => ({ ...result }))).toEqual(read(false))
  expect(withoutEvidence(read(true)[0]!).evidence).toEqual([])
  const surfaces = read(false).map(({ evidence }) => surfacesOf(evidence))
  expect(read(true).map(evidenceSurfaces)).toEqual(surfaces)
  expect(read(true).filter(isUnread).map(evidenceSurfaces)).toContain(3)
})

test('times are shifted alike, and nothing else is', () => {
  const lines = (lean: boolean) => read(lean).map((result) => lineOf(shiftResult(result, 1_500)))
  expect(lines(true)).toEqual(lines(false))
})

const passed = events.filter(isCheck).find(({ verdict }) => verdict === 'passed')!
const { evidence, evidenceDropped, ...others } = passed
const twice = (member: string) =>
  JSON.stringify(passed).replace(/"evidenceDropped":\d+/, (last) => `${member},${last}`)

test.each([
  ['its evidence is first', JSON.stringify({ evidence, evidenceDropped, ...others })],
  ['its evidence is last', JSON.stringify({ ...others, evidenceDropped, evidence })],
  ['it is not compact', JSON.stringify(passed, null, 1).replaceAll('\n', '')],
  ['it has two lists', twice('"evidence":[]')],
  ['it has another number first', twice('"evidenceDropped":3')],
  ['it has one member twice', twice(`"clauses":${JSON.stringify(passed.clauses)}`)],
  [
    'it has such a member within',
    JSON.stringify({ ...others, x: { a: 1, evidence: [] }, evidence, evidenceDropped }),
  ],
])('an unusual line is parsed as a whole: %s', (_, line) => {
  const unusual = log.replace(JSON.stringify(passed), () => line)
  expect(unusual).not.toBe(log)
  const [lean, whole] = [read(true, unusual), read(false, unusual)]
  expect(lean).toEqual(whole)
  expect(lean.map(lineOf)).toEqual(whole.map((result) => JSON.stringify(result)))
})

test('bytes that are no UTF-8 become the same character as in a log that is parsed', () => {
  const at = Buffer.from(log).indexOf('é')
  const damaged = Buffer.from(log)
  damaged[at + 1] = 0x22 - 0x01
  const lines = read(true, damaged).map(lineOf)
  expect(lines).toEqual(read(false, damaged).map((result) => JSON.stringify(result)))
  expect(lines.join('')).toContain('\ufffd!')
  expect(read(true, damaged).filter(isUnread).length).toBeGreaterThan(1)
})

test('invalid evidence is refused, whether it is needed or not', () => {
  const broken = log.replace('"kind":"block"', '"kind":"bloc"')
  expect(() => readEvents(broken, 'the log', { lean: true })).toThrow(
    /is not a check-finished event/,
  )
})
