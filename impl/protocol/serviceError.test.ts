import { expect, it } from 'vitest'
import { longestMessage, ServiceError } from './serviceError.ts'

const messageOf = (message: string) =>
  new ServiceError(message, { code: -32603, clause: 'section 7.3' }).message

it('truncates long messages, without splitting a character', () => {
  expect(messageOf('x'.repeat(longestMessage))).toBe('x'.repeat(longestMessage))
  expect(messageOf('x'.repeat(longestMessage + 1))).toBe(`${'x'.repeat(longestMessage)}...`)
  expect(messageOf(`${'x'.repeat(longestMessage - 1)}😀`)).toBe(
    `${'x'.repeat(longestMessage - 1)}...`,
  )
})
