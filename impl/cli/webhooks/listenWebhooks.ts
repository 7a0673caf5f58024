import { RequestRefusedError } from 'polgate-client/index.ts'
import type { FailureType } from 'polgate-protocol/notification.ts'
import { CommandError } from '../commandDefinition.ts'
import { controlRequest } from '../controlRequest.ts'
import { note, printable } from '../policy/notes.ts'
import { untilInterrupted } from '../rego/watch.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf, findTarget, keyOf, type ServiceTarget } from '../stack/serviceTarget.ts'
import { forwardUrl } from './forwardDelivery.ts'
import { type Delivery, startWebhookListener } from './webhookListener.ts'
import { type SecretOptions, webhookSecret } from './webhookSecret.ts'

export type ListenOptions = SecretOptions & {
  readonly target?: string
  readonly json?: boolean
  readonly forwardTo?: string
  readonly types?: readonly FailureType[]
  readonly timeout?: number
  readonly retries?: number
  readonly count?: number
  readonly port?: number
  /** Where a remote service reaches the listener. */
  readonly url?: string
  readonly replace?: boolean
}

/** The first that the target has: tasks of the other commands are created with the same one. */
const keyNames = ['rpc', 'read'] as const

/** Section 8. */
const usualSeconds = 10

/**
 * `polgate webhooks listen`: until it is interrupted, or `--count` deliveries have arrived.
 *
 * @throws CommandError
 */
export async function listenWebhooks(options: ListenOptions): Promise<void> {
  const forwardTo = options.forwardTo === undefined ? undefined : forwardUrl(options.forwardTo)
  const target = await findTarget(options.target)
  await requireReplaceable(target, options)
  const secret = await webhookSecret(options)
  const client = clientOf(target, keyNames)
  const seconds = options.timeout ?? usualSeconds
  const { signal, arrived } = endOf(options)
  const listener = await startWebhookListener({
    ...{ secret, forwardTo, port: options.port, brand: target.brand },
    // The status arrives before the service gives up.
    withinMs: seconds * 1_000 - Math.min(500, seconds * 100),
    onDelivery(delivery) {
      console.log(options.json ? JSON.stringify(machineOf(delivery)) : lineOf(delivery))
      arrived()
    },
  })
  try {
    const url = options.url ?? `${listener.url}/`
    await withClientErrors(() =>
      client.registerWebhook({
        ...{ url, secret, timeout_seconds: seconds },
        ...(options.retries === undefined ? {} : { max_retries: options.retries }),
        ...(options.types === undefined ? {} : { failure_types: [...options.types] }),
      }),
    )
    try {
      if (options.json) console.log(JSON.stringify({ listening: listener.url, registered: url }))
      else sayListening(options, url)
      await ended(signal)
    } finally {
      await withClientErrors(() => client.unregisterWebhook()).catch(sayRemoved)
    }
  } finally {
    await listener.close()
  }
}

/** The webhook of a key cannot be read: what a user has registered is not replaced without being asked. */
async function requireReplaceable(
  target: ServiceTarget,
  { url, replace }: ListenOptions,
): Promise<void> {
  const { stack } = target
  if (stack === undefined && url === undefined)
    throw new CommandError('the service cannot reach a listener of this machine', {
      hint: 'Only a local stack can. Pass --url with the HTTPS address of a tunnel to --port.',
    })
  if (replace || (stack !== undefined && !(await hasWebhook(target, stack.controlUrl)))) return
  const has = stack === undefined ? 'may have' : 'has'
  throw new CommandError(
    `the API key ${has} a webhook, which listening replaces and then removes`,
    {
      hint: 'A key has one. Agree with --replace, and register the other one again afterwards; or use another key.',
    },
  )
}

async function hasWebhook(target: ServiceTarget, controlUrl: string): Promise<boolean> {
  const response = await controlRequest(controlUrl, '/keys/webhook', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: keyOf(target, keyNames) }),
  })
  return ((await response.json()) as { url: string | null }).url !== null
}

/** A reverted stack, for instance, has forgotten it. */
function sayRemoved(error: unknown): void {
  if (!(error instanceof CommandError) || !(error.cause instanceof RequestRefusedError)) throw error
  note('the webhook was removed already, so that later failures were not delivered')
}

function endOf({ count }: ListenOptions) {
  const enough = new AbortController()
  let deliveries = 0
  return {
    signal: AbortSignal.any([untilInterrupted(), enough.signal]),
    arrived() {
      deliveries += 1
      if (count !== undefined && deliveries >= count) enough.abort()
    },
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

function sayListening({ forwardTo, secretEnv, secretFile }: ListenOptions, url: string): void {
  console.error(printable(`listening at ${url}${forwardTo === undefined ? '' : `, forwarding`}`))
  if (forwardTo !== undefined && secretEnv === undefined && secretFile === undefined)
    note('the local program cannot verify signatures: use --secret-env NAME or --secret-file FILE')
}

/** Older ones are retries after a long time, or of another clock. */
const oldAge = 300

function lineOf(delivery: Delivery): string {
  const { at, notification, fault, attempt, age = 0, forwarded, status } = delivery
  const time = new Date(at).toISOString()
  if (notification === undefined) return `${time}  not verified: ${printable(fault ?? '')}  401`
  const answered =
    forwarded === undefined
      ? `answered ${status}`
      : `forwarded: ${forwarded.error === undefined ? '' : `${forwarded.error}, `}${status} in ${forwarded.ms} ms`
  return printable(
    [
      ...[time, notification.failure_type.slice(0, 60), notification.task_id.slice(0, 66)],
      `verified${Math.abs(age) > oldAge ? `, ${age} s old` : ''}`,
      ...(attempt === 1 ? [] : [`attempt ${attempt}`]),
      answered,
    ].join('  '),
  )
}

function machineOf({ at, notification, ...rest }: Delivery) {
  const { notification_id: id, failure_type: type, task_id: taskId } = notification ?? {}
  return {
    at: new Date(at).toISOString(),
    ...{ verified: notification !== undefined, id, type, taskId },
    ...rest,
  }
}
