import { expect, it } from 'vitest'
import { createTaskAdmissionLimit } from './taskAdmissionLimit.ts'

const never = new AbortController().signal

it('refuses tasks beyond its limits, of all keys and of one, until some have left', async () => {
  const load = createTaskAdmissionLimit({ tasks: 3, tasksPerKey: 2, carried: 1, carriedPerKey: 1 })
  const [first, second] = [load.enter('a'), load.enter('a')]
  const refused = expect.objectContaining({ code: -32005, retryable: true })
  expect(() => load.enter('a')).toThrow(refused)
  const third = load.enter('b')
  expect(() => load.enter('c')).toThrow(refused)
  await first.turn(never)
  let turns = 0
  const waiting = second.turn(never).then(() => {
    turns += 1
  })
  await Promise.resolve()
  expect(turns).toBe(0)
  first.leave()
  await waiting
  expect(turns).toBe(1)
  second.leave()
  second.leave()
  third.leave()
  expect({ size: load.size, carried: load.carried }).toEqual({ size: 0, carried: 0 })
})

it('gives back a turn that comes when its task has left', async () => {
  const load = createTaskAdmissionLimit({ tasks: 2, tasksPerKey: 2, carried: 1, carriedPerKey: 1 })
  const [first, second] = [load.enter('a'), load.enter('a')]
  await first.turn(never)
  const late = second.turn(never)
  second.leave()
  first.leave()
  await late
  expect(load.carried).toBe(0)
})

it('keeps a few tasks for every key, however many others have', () => {
  const limits = { tasks: 3, tasksPerKey: 3, tasksReserved: 1, carried: 1, carriedPerKey: 1 }
  const load = createTaskAdmissionLimit(limits)
  for (let n = 0; n < 3; n++) load.enter('a')
  expect(() => load.enter('a')).toThrow('Too many tasks')
  load.enter('b')
  expect(() => load.enter('b')).toThrow('Too many tasks')
  load.enter('c')
  load.enter('d')
  expect(() => load.enter('e')).toThrow('Too many tasks')
})
