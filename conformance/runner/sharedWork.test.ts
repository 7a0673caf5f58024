import { expect, test } from 'vitest'
import { ConformanceError, NotInTime } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { execute } from './execute.fixture.ts'
import { createSharedWorks } from './sharedWork.ts'

const busy = 'the load of this machine was 9.0 on 2 processors'
const late = () =>
  Promise.reject(new NotInTime('the end of the task is wrong', { expected: '1', observed: '0' }))
const url = 'http://127.0.0.1:1'

test('work that came late on an overloaded machine is done again for the next check', async () => {
  const works = createSharedWorks(url, () => busy)
  const first = works.of('a task', late)
  await expect(first.value).rejects.toThrow('the end of the task')
  expect(first.overload).toBe(busy)
  expect(await works.of('a task', async () => 1).value).toBe(1)
})

test('a wrong answer is judged by all checks that read it, whatever the load', async () => {
  const works = createSharedWorks(url, () => busy)
  const wrong = new ConformanceError('the status is wrong', { expected: '1', observed: '2' })
  const first = works.of('a task', () => Promise.reject(wrong))
  await expect(first.value).rejects.toThrow(wrong)
  expect([first.overload, works.of('a task', late)]).toEqual([undefined, first])
})

test('a check that reads shared work right after it came late is no failure', async () => {
  let load: string | undefined = busy
  const reading = async (t: CheckContext) => {
    await t.once('a task', late).catch((error) => {
      // The load drops before the verdict.
      load = undefined
      throw error
    })
  }
  const { verdict, overload } = await execute({ run: reading }, { overloaded: () => load })
  expect([verdict, overload]).toEqual(['untestable', busy])
})

test('a check that was too late for shared work gets it anew in its next run', async () => {
  const works = createSharedWorks(url, () => undefined)
  const work = works.of('a task', async () => 1)
  await work.value
  works.renew(work)
  expect(works.of('a task', late)).toBe(work)
  work.ms = 6_000
  works.renew(work)
  expect(works.of('a task', async () => 2)).not.toBe(work)
})
