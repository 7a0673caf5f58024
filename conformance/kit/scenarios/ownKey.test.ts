import { expect, test } from 'vitest'
import type { CheckContext } from '../../core/context.ts'
import { type CallKey, withOwnKey } from './ownKey.ts'
import { withClearedKey } from './webhooks.ts'

/** A target whose control listener gives that response to every request; none without one. */
function contextWith(control: (() => Response) | undefined, keys: object = { rpc: 'its-rpc-key' }) {
  const shared = new Map<string, Promise<unknown>>()
  const requests: string[] = []
  const t = {
    target: { keys, ...(control === undefined ? {} : { controlUrl: 'http://control' }) },
    once: (name: string, make: () => Promise<unknown>) => {
      if (!shared.has(name)) shared.set(name, make())
      return shared.get(name)
    },
    fetch: async (url: string, { method = 'GET' }: RequestInit = {}) => {
      requests.push(`${method} ${url.replace('http://control', '')}`)
      return control!()
    },
    guard: () => {},
    cleanup: (run: () => Promise<unknown>) => run(),
  }
  return { t: t as unknown as CheckContext, requests }
}

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status })

test('a key is created and deleted where the control listener creates keys', async () => {
  const { t, requests } = contextWith(() => json({ key: 'a-new-key', record: { id: '7' } }))
  const key = await withOwnKey(t, async (given) => given)
  expect(key).toEqual({ value: 'a-new-key', name: 'SVC_KEY_OWN' })
  expect(requests).toEqual(['GET /keys', 'POST /keys', 'DELETE /keys/7'])
})

test.each([
  ['without a control listener', undefined],
  ['with one that creates no keys', () => json({ error: 'not served' }, 404)],
])('%s a key of the target is lent to one check at a time', async (_, control) => {
  const { t } = contextWith(control)
  const order: string[] = []
  const use = (name: string) =>
    withOwnKey(t, async (key: CallKey) => {
      order.push(`${name} has ${key}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push(`${name} ends`)
    })
  await Promise.all([use('first'), use('second')])
  expect(order).toEqual(['first has rpc', 'first ends', 'second has rpc', 'second ends'])
  await expect(withOwnKey(contextWith(control, {}).t, async () => {})).rejects.toThrow(
    "no dedicated API key: no control of keys, no key 'rpc'",
  )
})

test('a key of the target, which others may have registered a webhook for, has none before and afterwards', async () => {
  const { t } = contextWith(undefined)
  const calls: string[] = []
  const gateway = { call: async (method: string) => calls.push(method) }
  await withClearedKey({ ...t, gateway } as unknown as CheckContext, async (key) => {
    calls.push(`run with ${key}`)
  })
  expect(calls).toEqual(['unregisterWebhook', 'run with rpc', 'unregisterWebhook'])
})
