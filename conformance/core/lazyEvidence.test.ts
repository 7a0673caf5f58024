import { expect, test } from 'vitest'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { readEvents } from '../reports/readEvents.ts'
import type { CheckFinished, Evidence, RunEvent } from './events.ts'
import {
  evidenceIn,
  resultLine,
  shiftResult,
  unreadEvidence,
  withoutEvidence,
} from './lazyEvidence.ts'

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
const read = (lean: boolean) => readEvents(log, 'the log', { lean }).events.filter(isCheck)

test('a log that is read without its evidence is written unchanged', () => {
  const results = read(true)
  expect(results.filter((result) => unreadEvidence(result) !== undefined).length).toBeGreaterThan(1)
  expect(results.map(resultLine)).toEqual(events.filter(isCheck).map((e) => JSON.stringify(e)))
})

test('evidence is parsed when it is read', () => {
  expect(read(true).map(({ evidence }) => evidence)).toEqual(read(false).map((e) => e.evidence))
  expect(read(true).map((result) => ({ ...result }))).toEqual(read(false))
  expect(withoutEvidence(read(true)[0]!).evidence).toEqual([])
})

test('times are shifted alike, and nothing else is', () => {
  const lines = (lean: boolean) =>
    read(lean).map((result) => resultLine(shiftResult(result, 1_500)))
  expect(lines(true)).toEqual(lines(false))
})

test('an unusual line is parsed as a whole', () => {
  const failedCase = JSON.stringify({ evidence: [], failedCase: [], evidenceDropped: 0 })
  expect(evidenceIn(failedCase)).toBeUndefined()
  expect(evidenceIn('{"id":"a","evidence":[{"evidence":1}]}')).toBeUndefined()
})

test('invalid evidence is refused, whether it is needed or not', () => {
  const broken = log.replace('"kind":"block"', '"kind":"bloc"')
  expect(() => readEvents(broken, 'the log', { lean: true })).toThrow(
    /is not a check-finished event/,
  )
})
