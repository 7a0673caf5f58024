import { FailureType } from 'polgate-protocol/notification.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { describe, expect, test } from 'vitest'
import { obstacle, provocations } from './provocations.ts'

const types = FailureType.anyOf.map((each) => each.const)
const possible = (stack: Partial<StackDescription> | undefined, trapping?: `0x${string}`) =>
  types.filter(
    (type) =>
      obstacle(provocations[type], { stack: stack as StackDescription }, trapping) === undefined,
  )

describe('failures that can be brought about', () => {
  test('on a local stack: all', () => {
    expect(possible({ chaosUrl: 'http://127.0.0.1:1' }, '0x1')).toEqual(types)
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
