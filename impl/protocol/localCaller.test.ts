import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foreignCaller } from './localCaller.ts'

it.each(['127.0.0.1:8602', 'localhost:8602', 'LOCALHOST:8602', '[::1]:8602'])(
  'takes %s',
  (host) => {
    expect(foreignCaller({ host }, 8602)).toBeUndefined()
    expect(foreignCaller({ host, origin: 'http://127.0.0.1:8602' }, 8602)).toContain('Origin')
    expect(foreignCaller({ host, origin: 'null' }, 8602)).toContain('Origin')
  },
)

it('treats a missing port as port 80', () => {
  expect(foreignCaller({ host: 'localhost' }, 80)).toBeUndefined()
  expect(foreignCaller({ host: 'localhost' }, 8602)).toBeDefined()
})

it.each([
  undefined,
  '',
  'evil.example',
  'evil.example:8602',
  '127.0.0.1',
  '127.0.0.1:8603',
  '127.0.0.1.evil.example:8602',
  'localhost.evil.example:8602',
  'localhost:8602@evil.example',
  'evil.example@127.0.0.1:8602',
  'localhost.:8602',
  '127.1:8602',
  '0.0.0.0:8602',
  '2130706433:8602',
  '[::ffff:127.0.0.1]:8602',
  '127.0.0.1:8602:1',
  '127.0.0.1:08602 ',
  ' 127.0.0.1:8602',
])('refuses %s', (host) => {
  expect(foreignCaller({ host }, 8602)).toContain('Host')
})

it('accepts only the three names (property)', () => {
  const part = fc.oneof(
    fc.constantFrom('127.0.0.1', 'localhost', '[::1]', ':', '8602', '.', '@', 'evil.example'),
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const host = parts.join('')
      const taken = foreignCaller({ host }, 8602) === undefined
      expect(taken).toBe(/^(127\.0\.0\.1|localhost|\[::1\]):8602$/i.test(host))
    }),
  )
})
