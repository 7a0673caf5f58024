import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac } from 'node:crypto'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { requirePermission } from 'polgate-service/gateway/authentication.ts'
import type { Caller } from 'polgate-service/gateway/ports.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { beforeHandler } from '../mutants/parts.ts'
import { changedRegistration, sending, webhookStore } from '../mutants/webhookFaults.ts'
import { changedResult, wrapListener } from '../mutants/wrappedListeners.ts'
import { notification } from './notifications.ts'
import { composedParts, type Variant } from './variant.ts'

/** Other choices in sections 4.9, 6.2 and 6.3: registrations, deliveries and types of failures. */

type Parts = NonNullable<Variant['parts']>

const unmarked = () => undefined

type Port = Parameters<NonNullable<ServiceParts['gateway']>>[0]['webhooks']

/** The two webhook methods of the gateway. */
const methods = (change: (port: Port) => Port): ServiceParts => ({
  gateway: (deps) => ({ ...deps, webhooks: change(deps.webhooks) }),
})

/** The keys that have a webhook. */
function registrations() {
  const keys = new Set<string>()
  const noted = methods(({ register, unregister }) => ({
    register: async (params, caller) => {
      const answer = await register(params, caller)
      if (answer.success) keys.add(caller.keyId)
      return answer
    },
    unregister: async (caller) => {
      keys.delete(caller.keyId)
      return unregister(caller)
    },
  }))
  return { keys, noted }
}

const secondRefused: Parts = () => {
  const { keys, noted } = registrations()
  const refusing = methods((port) => ({
    ...port,
    register: async (params, caller) =>
      keys.has(caller.keyId)
        ? { success: false, message: 'A webhook is registered: unregister it first' }
        : port.register(params, caller),
  }))
  return composedParts([noted, refusing])
}

/** Sends to every registration of a key, signed with the secret of each. */
const secondAdded: Parts = () => {
  type Place = { readonly url: string; readonly secret: string | undefined }
  const places = new Map<string, Place[]>()
  const noted = methods(({ register, unregister }) => ({
    register: async (params, caller) => {
      const answer = await register(params, caller)
      const { url, secret } = params
      const others = (places.get(caller.keyId) ?? []).filter((each) => each.url !== url)
      if (answer.success) places.set(caller.keyId, [...others, { url, secret }])
      return answer
    },
    unregister: async (caller) => {
      places.delete(caller.keyId)
      return unregister(caller)
    },
  }))
  let signatureHeader = ''
  const toOthers = sending((delivery, send, attempt) => {
    const { [signatureHeader]: _, ...headers } = delivery.headers
    const here = delivery.target.url.href
    const all = [...places.values()].find((some) => some.some(({ url }) => url === here)) ?? []
    for (const { url, secret } of attempt > 1 ? [] : all.filter((each) => each.url !== here)) {
      const digest = (text: string) =>
        createHmac('sha256', text).update(delivery.body).digest('hex')
      const signature = secret && { [signatureHeader]: `sha256=${digest(secret)}` }
      const target = { ...delivery.target, url: new URL(url) }
      send({ ...delivery, target, headers: { ...headers, ...signature } }).catch(() => undefined)
    }
    return send(delivery)
  })(unmarked)
  const named: ServiceParts = {
    webhooks: (options) => {
      signatureHeader = options.brand.signatureHeader
      return options
    },
  }
  return composedParts([noted, named, toOthers])
}

const secretKept: Parts = () =>
  webhookStore(({ webhooks }) => ({
    webhooks: {
      ...webhooks,
      put: async (webhook, used) => {
        const before = await webhooks.get(webhook.apiKeyId)
        const sealedSecret = webhook.sealedSecret ?? before?.sealedSecret ?? null
        return webhooks.put({ ...webhook, sealedSecret }, used)
      },
    },
  }))

/** The permission of the two methods is checked by their handlers alone. */
const needingWrite: Parts = () => {
  const names = ['registerWebhook', 'unregisterWebhook'] as const
  const held = new AsyncLocalStorage<{ permissions?: Caller['permissions'] }>()
  const asking = wrapListener('wrapGatewayFetch', (asked, pass) =>
    names.some((name) => name === asked.method)
      ? held.run({}, () => pass(asked.request))
      : pass(asked.request),
  )()
  const passing: ServiceParts = {
    gateway: (deps) => ({
      ...deps,
      apiKeys: {
        lookup: async (key) => {
          const found = await deps.apiKeys.lookup(key)
          const store = held.getStore()
          if (found === undefined || store === undefined) return found
          store.permissions = found.permissions
          return { ...found, permissions: ['rpc'] }
        },
      },
    }),
  }
  const checking = names.map((name) =>
    beforeHandler(name, (_, { caller }) =>
      requirePermission({ ...caller, ...held.getStore() }, 'RpcWrite'),
    ),
  )
  return composedParts([asking, passing, ...checking])
}

/** The answer to unregisterWebhook of a key without a webhook. */
const withoutWebhook =
  (answer: () => Awaited<ReturnType<Port['unregister']>>): Parts =>
  () => {
    const { keys, noted } = registrations()
    const answering = methods((port) => ({
      ...port,
      unregister: async (caller) => {
        const registered = keys.has(caller.keyId)
        await port.unregister(caller)
        return registered ? { success: true, message: 'Webhook removed' } : answer()
      },
    }))
    return composedParts([noted, answering])
  }

/** A redirect from a receiver on this machine, where those of the suite are, is followed. */
const redirectsFollowed: Parts = () =>
  sending(async (delivery, send) => {
    const { target, headers, body, signal } = delivery
    if (!target.loopback) return send(delivery)
    const response = await fetch(target.url, {
      method: 'POST',
      headers: { ...headers },
      body: Buffer.from(body),
      redirect: 'manual',
      signal,
    })
    response.body?.cancel().catch(() => undefined)
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null)
      return send({ ...delivery, target: { ...target, url: new URL(location, target.url) } })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after') ?? undefined,
    }
  })(unmarked)

export const webhookVariants: readonly Variant[] = [
  {
    id: 'webhook.follows-redirects',
    clauses: ['4.9-21'],
    choice: 'follows redirects of webhook receivers',
    parts: redirectsFollowed,
  },
  {
    id: 'webhook.second-refused',
    clauses: ['4.9-15'],
    choice: 'refuses a second registration until the first webhook is unregistered',
    parts: secondRefused,
  },
  {
    id: 'webhook.second-added',
    clauses: ['4.9-15'],
    choice: 'adds a second registration to the first, and sends to both',
    parts: secondAdded,
  },
  {
    id: 'webhook.second-keeps-secret',
    clauses: ['4.9-15'],
    choice: 'keeps the secret of the first registration if the second has none',
    parts: secretKept,
  },
  {
    id: 'webhook.needs-write',
    clauses: ['4.9-17', '5.1-09'],
    choice: 'requires RpcWrite for the two webhook methods',
    parts: needingWrite,
  },
  {
    id: 'webhook.empty-messages',
    clauses: ['4.9-18'],
    choice: 'leaves the messages of the two webhook methods empty',
    parts: () =>
      composedParts(
        ['registerWebhook', 'unregisterWebhook'].map((method) =>
          changedResult(method, (answer) => ({ ...answer, message: '' }))(unmarked),
        ),
      ),
  },
  {
    id: 'webhook.none-to-unregister-is-error',
    clauses: ['4.9-20'],
    choice: 'answers unregisterWebhook with an error object if no webhook is registered',
    parts: withoutWebhook(() => {
      throw new ServiceError('Webhook not found', {
        code: errorCode.invalidParams,
        clause: 'section 4.9',
      })
    }),
  },
  {
    id: 'webhook.none-to-unregister-is-success',
    clauses: ['4.9-20'],
    choice: 'answers unregisterWebhook with success even if no webhook is registered',
    parts: withoutWebhook(() => ({ success: true, message: 'No webhook is registered now' })),
  },
  {
    id: 'webhook.first-attempt-counts',
    clauses: ['6.2-19'],
    choice: 'counts the first attempt in max_retries',
    parts: () =>
      changedRegistration((webhook) => ({
        ...webhook,
        maxRetries: Math.max(0, webhook.maxRetries - 1),
      }))(unmarked),
  },
  {
    id: 'webhook.unreachable-is-internal',
    clauses: ['6.3-07', '6.3-09'],
    choice: 'reports a task that reaches no operator as internal_error',
    parts: notification((told) =>
      told.failure_type === 'channel_error'
        ? { ...told, failure_type: 'internal_error', context: {} }
        : told,
    ),
  },
  {
    id: 'webhook.oracle-is-internal',
    clauses: ['6.3-09'],
    choice: 'reports the failure of an oracle as internal_error that can be retried',
    parts: notification((told) =>
      String(told.error_message).startsWith('WASM execution failed')
        ? {
            ...told,
            failure_type: 'internal_error',
            is_recoverable: true,
            retry_after_seconds: 30.5,
          }
        : told,
    ),
  },
]
