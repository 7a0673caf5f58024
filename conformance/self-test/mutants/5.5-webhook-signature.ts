import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Mutant } from './mutant.ts'
import {
  changedHeaders,
  changedRegistration,
  changedSignature,
  sending,
  signatureHeader,
} from './webhookFaults.ts'

const hexOf = (value: string) => value.slice('sha256='.length)

/** JSON from another serializer: the same members, with a space after colons and commas. */
const rewritten = (body: Uint8Array) =>
  Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString()), null, 1))

const unsigned = (change: (body: Uint8Array) => string) =>
  changedHeaders((headers, { body }) =>
    headers[signatureHeader] === undefined
      ? { ...headers, [signatureHeader]: change(body) }
      : headers,
  )

/** Faults in the signature and the idempotency key of webhooks (section 5.5). */
export const webhookSignatureMutants: readonly Mutant[] = [
  {
    id: 'webhook.signs-other-bytes',
    fault: 'signs the JSON before reserializing it for sending',
    clauses: ['5.5-01'],
    parts: sending((delivery, send, _, markFired) => {
      if (delivery.headers[signatureHeader] === undefined) return send(delivery)
      markFired()
      return send({ ...delivery, body: rewritten(delivery.body) })
    }),
  },
  {
    id: 'webhook.signature-in-base64',
    fault: 'writes the signature in base64',
    clauses: ['5.5-01'],
    parts: changedSignature(
      (value) => `sha256=${Buffer.from(hexOf(value), 'hex').toString('base64')}`,
    ),
  },
  {
    id: 'webhook.signature-without-prefix',
    fault: 'omits sha256= before the signature',
    clauses: ['5.5-01'],
    parts: changedSignature(hexOf),
  },
  {
    id: 'webhook.signature-with-0x',
    fault: 'writes the signature with 0x',
    clauses: ['5.5-01'],
    parts: changedSignature((value) => `sha256=0x${hexOf(value)}`),
  },
  {
    id: 'webhook.signature-is-hash',
    fault: 'sends the plain SHA-256 of the payload as signature',
    clauses: ['5.5-01'],
    parts: changedSignature(
      (_, { body }) => `sha256=${createHash('sha256').update(body).digest('hex')}`,
    ),
  },
  {
    id: 'webhook.signs-hash-of-body',
    fault: 'signs the SHA-256 of the payload instead of the payload',
    clauses: ['5.5-01'],
    parts: (markFired) => {
      let secret = ''
      const keeping = changedRegistration((webhook) => webhook)(markFired)
      const signing = changedSignature((_, { body }) => {
        const hash = createHash('sha256').update(body).digest()
        return `sha256=${createHmac('sha256', secret).update(hash).digest('hex')}`
      })(markFired)
      return {
        webhooks: (options) => signing.webhooks!(keeping.webhooks!(options)),
        gateway: (deps) => ({
          ...deps,
          webhooks: {
            ...deps.webhooks,
            register: (params, caller) => {
              secret = params.secret ?? secret
              return deps.webhooks.register(params, caller)
            },
          },
        }),
      }
    },
  },
  {
    id: 'webhook.signature-on-first-alone',
    fault: 'signs the first attempt but not retries',
    clauses: ['5.5-01'],
    parts: changedHeaders(({ [signatureHeader]: value, ...headers }, _, attempt) =>
      value === undefined || attempt > 1 ? headers : { ...headers, [signatureHeader]: value },
    ),
  },
  {
    id: 'webhook.never-signed',
    fault: 'sends no signature though there is a secret',
    clauses: ['5.5-01', '6.2-04'],
    parts: changedHeaders(({ [signatureHeader]: _, ...headers }) => headers),
  },
  {
    id: 'webhook.secret-trimmed',
    fault: 'reads the secret as ASCII and drops other characters',
    clauses: ['5.5-01'],
    parts: (markFired) => ({
      gateway: (deps) => ({
        ...deps,
        webhooks: {
          ...deps.webhooks,
          register: (params, caller) => {
            const secret = params.secret?.replaceAll(/[^\x20-\x7e]/g, '')
            if (secret === params.secret || secret === undefined)
              return deps.webhooks.register(params, caller)
            markFired()
            return deps.webhooks.register({ ...params, secret }, caller)
          },
        },
      }),
    }),
  },
  {
    id: 'webhook.signed-without-secret',
    fault: 'signs with the empty secret if there is none',
    clauses: ['5.5-02', '6.2-04'],
    parts: unsigned((body) => `sha256=${createHmac('sha256', '').update(body).digest('hex')}`),
  },
  {
    id: 'webhook.empty-signature',
    fault: 'sends an empty signature if there is no secret',
    clauses: ['5.5-02', '6.2-04'],
    parts: unsigned(() => ''),
  },
  {
    id: 'webhook.new-key-per-retry',
    fault: 'creates a new idempotency key for each retry',
    clauses: ['5.5-03'],
    parts: changedHeaders((headers, _, attempt) =>
      attempt === 1 ? headers : { ...headers, 'X-Idempotency-Key': randomUUID() },
    ),
  },
  {
    id: 'webhook.key-counts-attempts',
    fault: 'adds the number of the attempt to the idempotency key',
    clauses: ['5.5-03'],
    parts: changedHeaders((headers, _, attempt) => ({
      ...headers,
      'X-Idempotency-Key': `${headers['X-Idempotency-Key']}-${attempt}`,
    })),
  },
  {
    id: 'webhook.key-is-task-id',
    fault: 'sends the task id as idempotency key',
    clauses: ['5.5-03'],
    parts: changedHeaders((headers, { body }) => ({
      ...headers,
      'X-Idempotency-Key': JSON.parse(Buffer.from(body).toString()).task_id,
    })),
  },
]
