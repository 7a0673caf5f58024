import { createHmac, randomUUID } from 'node:crypto'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { describe, expect, test } from 'vitest'
import type { CheckContext } from '../../core/context.ts'
import { notificationIn } from '../scenarios/updates.ts'
import type { Delivery } from '../servers/webhookReceiver.ts'
import {
  expectNotification,
  expectQuorumContext,
  expectSigned,
  expectUnsigned,
} from './notification.ts'

const right = () => ({
  notification_id: randomUUID(),
  task_id: `0x${'ab'.repeat(32)}`,
  timestamp: new Date().toISOString(),
  failure_type: 'timeout',
  error_message: 'Task timeout',
  context: {},
  is_recoverable: true,
  retry_after_seconds: 5,
})

describe('a notification', () => {
  test('is accepted with all members of its type', () => {
    expect(() => expectNotification(right(), right().task_id.toUpperCase())).not.toThrow()
    expect(() => expectNotification({ ...right(), retry_after_seconds: null })).not.toThrow()
  })

  test.each([
    ['notification_id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['task_id', 'ab'],
    ['timestamp', '2026-11-21T06:00:00'],
    ['timestamp', '1999-11-21T06:00:00Z'],
    ['timestamp', 1_700_000_000],
    ['failure_type', 'bad_weather'],
    ['error_message', null],
    ['context', []],
    ['is_recoverable', 'true'],
    ['retry_after_seconds', '5'],
    ['retry_after_seconds', undefined],
  ])('is a finding when %s is %j', (name, value) => {
    expect(() => expectNotification({ ...right(), [name]: value })).toThrow(name)
  })

  test('of another task is a finding', () => {
    expect(() => expectNotification(right(), `0x${'cd'.repeat(32)}`)).toThrow('task_id')
  })

  test('is found in any envelope', () => {
    const notification = right()
    expect(notificationIn({ type: 'x', result: { deep: notification } })).toBe(notification)
    expect(notificationIn({ failures: [null, notification] })).toBe(notification)
    expect(notificationIn({ type: 'update', result: { task_id: 'a' } })).toBeUndefined()
  })
})

test('the context of a quorum failure has stakes as decimal strings, too little of them', () => {
  const context = { signed_stake: '60', required_stake: '100', operator_count: 3 }
  expect(() => expectQuorumContext(context)).not.toThrow()
  for (const wrong of [
    { signed_stake: 60 },
    { signed_stake: '0x3c' },
    { signed_stake: '100' },
    { operator_count: '3' },
  ])
    expect(() => expectQuorumContext({ ...context, ...wrong })).toThrow('is wrong')
})

describe('a signature', () => {
  const t = { target: { brand: defaultBrand } } as CheckContext
  const body = Buffer.from('{"a": 1}')
  const delivery = (signature?: string) =>
    ({
      body,
      headers: signature === undefined ? {} : { 'x-service-signature': signature },
    }) as unknown as Delivery
  const hmac = (secret: string, of = body) => createHmac('sha256', secret).update(of).digest('hex')

  test('is valid only over the raw bytes with the secret', () => {
    expect(() => expectSigned(t, delivery(`sha256=${hmac('s')}`), 's')).not.toThrow()
    expect(() => expectSigned(t, delivery(`sha256=${hmac('s').toUpperCase()}`), 's')).not.toThrow()
    for (const wrong of [
      hmac('s'),
      `sha256=${hmac('other')}`,
      `sha256=${hmac('s', Buffer.from('{"a":1}'))}`,
      `SHA256=${hmac('s')}`,
      '',
    ])
      expect(() => expectSigned(t, delivery(wrong), 's')).toThrow('X-Service-Signature')
    expect(() => expectSigned(t, delivery(), 's')).toThrow('X-Service-Signature')
  })

  test('an unexpected one is a finding', () => {
    expect(() => expectUnsigned(t, delivery())).not.toThrow()
    expect(() => expectUnsigned(t, delivery('sha256=00'))).toThrow('X-Service-Signature')
  })
})
