import { expect, it } from 'vitest'
import { attestationsOf } from './attestations.ts'
import { created, idOf, responded, spent } from './chain.fixture.ts'

it('expire in the block in which they can no longer be spent', () => {
  const [first, second] = [idOf(1), idOf(2)]
  const logs = [created(first), responded(first, 30), responded(second, 40), spent(second)]
  const statesAt = (latest: number) =>
    attestationsOf(logs, latest).map(({ taskId, state }) => [taskId, state])
  expect(statesAt(28)).toEqual([
    [second, 'spent'],
    [first, 'valid'],
  ])
  // Block 30, which is next, rejects it.
  expect(statesAt(29)).toContainEqual([first, 'expired'])
  expect(statesAt(50)).toContainEqual([second, 'spent'])
  expect(attestationsOf([created(first)], 1)).toEqual([])
})
