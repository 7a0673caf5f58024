import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { expect, it } from 'vitest'
import { identityOf } from './roster.ts'
import { kindOf, readMessage, signMessage } from './signed.ts'

const body = Type.Object({ place: Type.Integer() })
const [one, other] = [kindOf('one', body), kindOf('other', body)]
const identity = identityOf(`0x${'ab'.repeat(20)}`, randomBytes(32).toString('hex'))
const context = randomBytes(32)
const signed = signMessage(one, context, { place: 1 }, identity)

it('reads a signed message', () => {
  expect(readMessage(one, context, signed, identity)).toEqual({ place: 1 })
})

it('takes a message for no other kind, session or member, and not when it is malformed', () => {
  const refused = { code: 'dealer' }
  const stranger = { ...identity, publicKey: 'ab'.repeat(32) }
  expect(() => readMessage(other, context, signed, identity)).toThrow('not signed')
  expect(() => readMessage(one, randomBytes(32), signed, identity)).toThrow('not signed')
  expect(() => readMessage(one, context, signed, stranger)).toThrow('not signed')
  const malformed = signMessage(one, context, { place: 1.5 }, identity)
  expect(() => readMessage(one, context, malformed, identity)).toThrow(
    expect.objectContaining({ ...refused, message: expect.stringContaining('cannot be read') }),
  )
})
