import { FailureType } from 'polgate-protocol/notification.ts'
import { describe, expect, test } from 'vitest'
import { obstacle, type ProvokedStack, provocations } from './provocations.ts'

const types = FailureType.anyOf.map((each) => each.const)
const possible = (stack: Pick<ProvokedStack, 'chaos'> | undefined, trapping?: `0x${string}`) =>
  types.filter((type) => obstacle(provocations[type], stack, trapping) === undefined)

describe('failures that can be brought about', () => {
  test('on a local stack: all', () => {
    expect(possible({ chaos: () => Promise.reject(new Error('not called')) }, '0x1')).toEqual(types)
  })

  test('with operators in processes of their own: not those inside of them', () => {
    expect(possible({}, '0x1')).toEqual([
      'channel_error',
      'timeout',
      'quorum_not_reached',
      'onchain_submission_failed',
      'policy_evaluation_failed',
    ])
  })

  test('at a remote gateway: those that a task alone causes', () => {
    expect(possible(undefined, '0x1')).toEqual(['timeout', 'policy_evaluation_failed'])
    expect(possible(undefined)).toEqual(['timeout'])
  })
})
