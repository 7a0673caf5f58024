import { expect, test } from 'vitest'
import { isBlockedPort } from './blockedPort.ts'

const failureOf = (url: string) =>
  fetch(url).then(
    () => undefined,
    (error: unknown) => error,
  )

test('a port that fetch refuses differs from one where nothing listens', async () => {
  expect(isBlockedPort(await failureOf('http://127.0.0.1:6000'))).toBe(true)
  const refused = await failureOf('http://127.0.0.1:2')
  expect(refused).toBeInstanceOf(Error)
  expect(isBlockedPort(refused)).toBe(false)
  expect(isBlockedPort(undefined)).toBe(false)
})
