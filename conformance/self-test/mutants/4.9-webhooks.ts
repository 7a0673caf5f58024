import { failureTypes } from 'polgate-conformance/kit/assertions/notification.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { changedRegistration, sending, webhookStore } from './webhookFaults.ts'
import { changedError, changedParams, changedResult, type Json } from './wrappedListeners.ts'

const registering = (change: (params: Json) => Json) => changedParams('registerWebhook', change)

/** The two webhook methods of the gateway. */
const methods =
  (fault: (webhooks: Port, markFired: MarkFired) => Partial<Port>) =>
  (markFired: MarkFired): ServiceParts => ({
    gateway: (deps) => ({
      ...deps,
      webhooks: { ...deps.webhooks, ...fault(deps.webhooks, markFired) },
    }),
  })
type Port = Parameters<NonNullable<ServiceParts['gateway']>>[0]['webhooks']

/** Requires an optional member of a registration. */
const wanting = (member: 'secret' | 'timeout_seconds' | 'max_retries' | 'failure_types') =>
  methods(({ register }, markFired) => ({
    register: (params, caller) => {
      if (params[member] !== undefined) return register(params, caller)
      markFired()
      throw invalidFormat(`${member} is required`)
    },
  }))

const someUrl = 'https://hooks.example.invalid/failures'

/** Faults in registrations of webhooks (section 4.9). */
export const webhookMutants: readonly Mutant[] = [
  {
    id: 'webhook.url-not-required',
    fault: 'registers a webhook without a URL',
    clauses: ['4.9-01'],
    parts: registering((params) => ({ ...params, url: params?.url ?? someUrl })),
  },
  {
    id: 'webhook.types-not-listed',
    fault: 'refuses an unknown failure type without the list of known types',
    clauses: ['4.9-19'],
    parts: changedError('registerWebhook', (error) =>
      /failure_types/.test(error.message)
        ? {
            ...error,
            message: 'Invalid request format: failure_types[0] must be equal to constant',
          }
        : error,
    ),
  },
  {
    id: 'webhook.url-of-any-type',
    fault: 'converts any value of url to a string',
    clauses: ['4.9-01'],
    parts: registering((params) =>
      typeof params?.url === 'string' || params?.url === undefined
        ? params
        : { ...params, url: `${someUrl}/${encodeURIComponent(String(params.url))}` },
    ),
  },
  {
    id: 'webhook.http-accepted',
    fault: 'registers http:// addresses',
    clauses: ['4.9-02'],
    parts: registering((params) =>
      /^http:\/\/(?!127\.0\.0\.1|localhost)/.test(params?.url)
        ? { ...params, url: params.url.replace('http:', 'https:') }
        : params,
    ),
  },
  {
    id: 'webhook.any-scheme-accepted',
    fault: 'registers any valid URL',
    clauses: ['4.9-02'],
    parts: registering((params) =>
      URL.canParse(params?.url) && !/^https?:/.test(params.url)
        ? { ...params, url: someUrl }
        : params,
    ),
  },
  {
    id: 'webhook.any-port-accepted',
    fault: 'registers addresses with ports of other protocols',
    clauses: ['4.9-16'],
    parts: registering((params) =>
      typeof params?.url === 'string' && URL.canParse(params.url)
        ? { ...params, url: params.url.replace(/^(https:\/\/[^/:]+):\d+/, '$1') }
        : params,
    ),
  },
  {
    id: 'webhook.secret-of-any-type',
    fault: 'accepts a secret of any type',
    clauses: ['4.9-03'],
    parts: registering((params) =>
      params?.secret === undefined ? params : { ...params, secret: JSON.stringify(params.secret) },
    ),
  },
  {
    id: 'webhook.secret-required',
    fault: 'requires a secret for a webhook',
    clauses: ['4.9-03'],
    parts: wanting('secret'),
  },
  {
    id: 'webhook.timeout-text-accepted',
    fault: 'accepts timeout_seconds as a string',
    clauses: ['4.9-04'],
    parts: registering((params) =>
      typeof params?.timeout_seconds === 'string'
        ? { ...params, timeout_seconds: Number(params.timeout_seconds) }
        : params,
    ),
  },
  {
    id: 'webhook.timeout-ignored',
    fault: 'gives every receiver 10 seconds, ignoring the registration',
    clauses: ['4.9-04'],
    parts: changedRegistration((webhook) => ({ ...webhook, timeoutSeconds: 10 })),
  },
  {
    id: 'webhook.timeout-in-ms',
    fault: 'treats timeout_seconds as milliseconds',
    clauses: ['4.9-04'],
    parts: changedRegistration((webhook) => ({
      ...webhook,
      timeoutSeconds: webhook.timeoutSeconds === 10 ? 10 : webhook.timeoutSeconds / 1000,
    })),
  },
  {
    id: 'webhook.timeout-not-kept',
    fault: 'waits for a receiver without a timeout',
    clauses: ['4.9-04', '4.9-05'],
    parts: sending((delivery, send, _, markFired) => {
      markFired()
      return send({ ...delivery, signal: new AbortController().signal })
    }),
  },
  {
    id: 'webhook.default-timeout-30',
    fault: 'gives receivers 30 seconds by default',
    clauses: ['4.9-05'],
    parts: registering((params) => ({ timeout_seconds: 30, ...params })),
  },
  {
    id: 'webhook.default-timeout-5',
    fault: 'gives receivers 5 seconds by default',
    clauses: ['4.9-05'],
    parts: registering((params) => ({ timeout_seconds: 5, ...params })),
  },
  {
    id: 'webhook.retries-text-accepted',
    fault: 'accepts max_retries as a string',
    clauses: ['4.9-06'],
    parts: registering((params) =>
      typeof params?.max_retries === 'string'
        ? { ...params, max_retries: Number(params.max_retries) }
        : params,
    ),
  },
  {
    id: 'webhook.retries-ignored',
    fault: 'always retries three times',
    clauses: ['4.9-06', '6.2-10'],
    parts: changedRegistration((webhook) => ({ ...webhook, maxRetries: 3 })),
  },
  {
    id: 'webhook.no-retries-is-default',
    fault: 'treats max_retries 0 as absent',
    clauses: ['4.9-06', '6.2-10'],
    parts: registering((params) => ({ ...params, max_retries: params?.max_retries || 3 })),
  },
  {
    id: 'webhook.default-retries-5',
    fault: 'retries five times by default',
    clauses: ['4.9-07'],
    parts: registering((params) => ({ max_retries: 5, ...params })),
  },
  {
    id: 'webhook.default-retries-none',
    fault: 'does not retry unless max_retries is given',
    clauses: ['4.9-07'],
    parts: registering((params) => ({ max_retries: 0, ...params })),
  },
  {
    id: 'webhook.types-text-accepted',
    fault: 'accepts a single failure type that is not in an array',
    clauses: ['4.9-08'],
    parts: registering((params) =>
      typeof params?.failure_types === 'string'
        ? { ...params, failure_types: [params.failure_types] }
        : params,
    ),
  },
  {
    id: 'webhook.types-ignored',
    fault: 'sends failures of every type, ignoring failure_types',
    clauses: ['4.9-08'],
    parts: changedRegistration((webhook) => ({ ...webhook, failureTypes: null })),
  },
  {
    id: 'webhook.types-exclude',
    fault: 'treats failure_types as an exclusion list',
    clauses: ['4.9-08'],
    parts: registering((params) =>
      Array.isArray(params?.failure_types)
        ? { ...params, failure_types: complementOf(params.failure_types) }
        : params,
    ),
  },
  {
    id: 'webhook.default-types-none',
    fault: 'sends nothing unless failure_types is given',
    clauses: ['4.9-09'],
    parts: registering((params) => ({ failure_types: ['internal_error'], ...params })),
  },
  {
    id: 'webhook.default-types-of-evaluation',
    fault: 'by default does not send failures of posting on chain',
    clauses: ['4.9-09'],
    parts: registering((params) => ({
      failure_types: complementOf(['onchain_submission_failed']),
      ...params,
    })),
  },
  {
    id: 'webhook.registered-without-message',
    fault: 'answers a registration with success only',
    clauses: ['4.9-10'],
    parts: changedResult('registerWebhook', ({ success }) => ({ success })),
  },
  {
    id: 'webhook.registered-is-id',
    fault: 'answers a registration with an id',
    clauses: ['4.9-10'],
    parts: changedResult('registerWebhook', () => ({ webhook_id: 'wh_1' })),
  },
  {
    id: 'webhook.unregistered-is-true',
    fault: 'answers unregisterWebhook with true',
    clauses: ['4.9-11'],
    parts: changedResult('unregisterWebhook', () => true),
  },
  {
    id: 'webhook.unregister-wants-url',
    fault: 'requires the URL in unregisterWebhook',
    clauses: ['4.9-11'],
    parts: changedParams('unregisterWebhook', (params) => (params?.url ? params : ['url'])),
  },
  {
    id: 'webhook.sent-tasks-not-told',
    fault: 'sends only failures of createTask',
    clauses: ['4.9-12', '6.2-01'],
    parts: (markFired) => ({
      taskDeps: (deps) => {
        const sent = new Set<string>()
        const { tasks } = deps.store
        return {
          ...deps,
          store: {
            ...deps.store,
            tasks: {
              ...tasks,
              admit: async (options) => {
                const admission = await tasks.admit(options)
                if (options.method === 'sendTask' && admission.outcome === 'admitted')
                  sent.add(admission.task.id)
                return admission
              },
              finish: (id, { notification, ...options }) => {
                if (notification === undefined || !sent.has(id))
                  return tasks.finish(id, { ...options, notification })
                markFired()
                return tasks.finish(id, options)
              },
            },
          },
        }
      },
    }),
  },
  {
    id: 'webhook.other-keys-told',
    fault: 'sends every failure to the webhooks of all keys',
    clauses: ['4.9-13'],
    parts: (markFired) => {
      const urls = new Map<string, string>()
      const store = webhookStore(({ webhooks }) => ({
        webhooks: {
          ...webhooks,
          put: (webhook, used) => {
            urls.set(webhook.apiKeyId, webhook.url)
            return webhooks.put(webhook, used)
          },
          remove: (keyId, used) => {
            urls.delete(keyId)
            return webhooks.remove(keyId, used)
          },
        },
      }))
      const everywhere = sending((delivery, send) => {
        for (const url of new Set(urls.values())) {
          if (url === delivery.target.url.href) continue
          markFired()
          const target = { ...delivery.target, url: new URL(url) }
          send({ ...delivery, target }).catch(() => undefined)
        }
        return send(delivery)
      })(markFired)
      return {
        webhooks: (options) => everywhere.webhooks!(store.webhooks!(options)),
      }
    },
  },
  {
    id: 'webhook.told-after-end',
    fault: 'continues sending after unregisterWebhook',
    clauses: ['4.9-14'],
    parts: (markFired) =>
      webhookStore(({ webhooks }) => ({
        webhooks: {
          ...webhooks,
          remove: async () => {
            markFired()
            return 'removed'
          },
        },
      })),
  },
  {
    id: 'webhook.unregister-is-unknown',
    fault: 'has an unregisterWebhook without effect',
    clauses: ['4.9-11', '4.9-14'],
    parts: methods((_, markFired) => ({
      unregister: async () => {
        markFired()
        throw new ServiceError('Unknown service RPC method: unregisterWebhook', {
          code: errorCode.methodNotFound,
          clause: 'section 7.3',
        })
      },
    })),
  },
]

function complementOf(types: readonly string[]): readonly string[] {
  return failureTypes.filter((type) => !types.includes(type))
}
