import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CannotRun } from '../core/conformanceError.ts'
import { createEventLog } from '../runner/eventLog.ts'
import { exampleRun } from './exampleRun.fixture.ts'
import { loadEvents, readEvents } from './readEvents.ts'

const text = exampleRun.map((event) => `${JSON.stringify(event)}\n`).join('')

test('reads back what was written, line by line', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-log-'))
  try {
    const log = createEventLog(join(directory, 'events.ndjson'), (value) => value)
    for (const event of exampleRun) log.append(event)
    await log.close()
    const read = loadEvents(directory)
    expect(read.events).toEqual(log.events)
    expect(read.lines.map(String)).toEqual(log.events.map((event) => JSON.stringify(event)))
    expect(read.truncated).toBe(false)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('a truncated last line is skipped and reported', () => {
  const whole = readEvents(text.slice(0, -1))
  expect([whole.events.length, whole.truncated]).toEqual([exampleRun.length, false])
  const cut = readEvents(text.slice(0, -20))
  expect([cut.events.length, cut.truncated]).toEqual([exampleRun.length - 1, true])
})

test.each([
  ['', 'the log contains no event'],
  [text.replace('"version":2', '"version":1'), 'the log is an event log of version 1'],
  [text.replace('"version":2', '"version":99'), 'this suite reads version 2'],
  [
    text.replace('"type":"check-finished"', '"type":"something"'),
    'line 2 of the log is not an event',
  ],
  [
    text.replace('"verdict":"failed"', '"verdict":"fine"'),
    'line 3 of the log is not a check-finished',
  ],
  [
    text.replace('"exchanges":2', '"exchanges":-2'),
    '/exchanges Expected integer to be greater or equal to 0',
  ],
  [text.split('\n').slice(1).join('\n'), 'does not start with a run-started event'],
  [`${text}${text}`, 'starts another run'],
  [text.replace('\n', '\n\n'), 'line 2 of the log is not an event'],
  ['{"type":"__proto__"}\n', 'line 1 of the log is not an event'],
  ['{"type":"constructor"}\n', 'line 1 of the log is not an event'],
])('invalid logs are rejected with the line and the fault (%#)', (wrong, message) => {
  expect(wrong).not.toBe(text)
  expect(() => readEvents(wrong)).toThrow(message)
})

test('a missing or different file cannot be read', () => {
  expect(() => loadEvents('/nowhere/at/all')).toThrow(CannotRun)
  const directory = mkdtempSync(join(tmpdir(), 'svc-log-'))
  try {
    writeFileSync(join(directory, 'a.ndjson'), Buffer.from([0xff, 0xfe, 0, 1]))
    expect(() => loadEvents(join(directory, 'a.ndjson'))).toThrow(CannotRun)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('any file content is either read or rejected with a reason', () => {
  const line = fc.constantFrom(...text.trimEnd().split('\n'))
  const lines = fc.array(fc.oneof(line, fc.json(), fc.string()), { maxLength: 6 })
  fc.assert(
    fc.property(lines, (some) => {
      try {
        expect(readEvents(some.join('\n')).events[0]?.type).toBe('run-started')
      } catch (error) {
        if (!(error instanceof CannotRun)) throw error
        expect(error.hint).toBeDefined()
      }
    }),
    { numRuns: 200 },
  )
})

test('nothing may follow the end of a run: a second end would be another verdict', () => {
  const lines = text.trimEnd().split('\n')
  const end = lines.findIndex((line) => line.includes('"run-finished"'))
  const two = [...lines, lines[end]!.replace('"code":1', '"code":0')].join('\n')
  expect(() => readEvents(two)).toThrow('after the end of the run')
})
