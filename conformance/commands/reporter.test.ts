import { expect, test } from 'vitest'
import type { RunEvent } from '../core/events.ts'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import type { CertifyResult } from './certifyResult.ts'
import { openReporters, type Reporter } from './reporter.ts'

const result = { verdict: 'conformant' } as CertifyResult

/** Never ends. */
const hanging = () => new Promise<void>(() => undefined)

async function errorsOf(reporters: readonly Reporter[]): Promise<readonly string[]> {
  const group = await openReporters(reporters, '.', 20)
  for (const event of exampleRun.slice(0, 2) as readonly RunEvent[]) group.event(event)
  return (await group.end(result)).map(({ message }) => message)
}

test('a reporter that never ends with an event is an error, also where it has no end', async () => {
  const late = 'reporter slow failed: it did not end within 0.02 s'
  expect(await errorsOf([{ name: 'slow', onEvent: hanging }])).toEqual([late])
  expect(await errorsOf([{ name: 'slow', onEnd: hanging }])).toEqual([late])
})

test('only a reporter that does not end is named in the error, and every reporter receives the end of the run', async () => {
  const ended: string[] = []
  const good = (name: string): Reporter => ({
    name,
    onEvent: async () => undefined,
    onEnd: async () => void ended.push(name),
  })
  const slow = { ...good('slow'), onEvent: hanging }
  const other = { name: 'other', onEvent: hanging }
  expect(await errorsOf([good('first'), slow, other, good('last')])).toEqual([
    'reporter slow failed: it did not end within 0.02 s',
    'reporter other failed: it did not end within 0.02 s',
  ])
  expect(ended).toEqual(['first', 'slow', 'last'])
})
