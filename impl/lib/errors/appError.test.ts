import { expect, it } from 'vitest'
import { AppError } from './appError.ts'
import { errorText } from './errorText.ts'

class LockError extends AppError<{ code: 'held' | 'lost'; hint: string; cause?: unknown }> {}

it('has the name of its class, its details and its cause', () => {
  const cause = new Error('EEXIST')
  const error = new LockError('The lock is held', { code: 'held', hint: 'Stop the owner.', cause })
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ name: 'LockError', code: 'held', hint: 'Stop the owner.', cause })
  expect(error.clause).toBeUndefined()
})

it('has no cause where none is given', () => {
  expect(Object.hasOwn(new AppError('The lock is held'), 'cause')).toBe(false)
})

it('is printed with its hint, without its stack', () => {
  expect(
    errorText(new LockError('The lock is held', { code: 'held', hint: 'Stop the owner.' })),
  ).toBe('error: The lock is held\n       Stop the owner.')
  expect(errorText(new AppError('The lock is held'))).toBe('error: The lock is held')
})

it('is not needed to print any other value', () => {
  expect(errorText(new TypeError('no function'))).toMatch(/^error: TypeError: no function\n {4}at /)
  expect(errorText('text')).toBe("error: 'text'")
})
