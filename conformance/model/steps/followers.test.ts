import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endKey, freshModel, type ModelTask } from '../state.ts'
import { followings } from './followers.ts'

const sent: ModelTask = {
  ...{ by: 'mine', kind: 'allows', way: 'sent', ending: 'allowed', hooked: false },
  following: 'never',
}

function modelOf(following: readonly ModelTask['following'][]) {
  const model = freshModel([])
  model.tasks.push(...following.map((each) => ({ ...sent, following: each })))
  return model
}

const tasks = fc.array(fc.constantFrom('never' as const, 'yes' as const), { minLength: 1 })

test('a key follows tasks that it sent, but not those of a deleted key', () => {
  const ofReader = followings().filter(({ text }) => text.startsWith('the second connection'))
  let held = 0
  fc.assert(
    fc.property(tasks, ofReader, (following, step) => {
      const model = modelOf(following)
      if (step.holds?.(model)) held++
      endKey(model, 'mine')
      model.keys.mine = { live: true, webhook: true }
      expect(step.holds?.(model)).toBe(false)
    }),
  )
  expect(held).toBeGreaterThan(0)
})
