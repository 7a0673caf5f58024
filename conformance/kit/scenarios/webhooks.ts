import type { Answer } from '../../core/answer.ts'
import { NotInTime, TooLate, Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import {
  expectEqual,
  expectObject,
  expectThat,
  isObject,
  type JsonObject,
  show,
} from '../../core/expect.ts'
import { receiverUrl } from '../../targets/places.ts'
import { expectResultObject } from '../assertions/expectAnswer.ts'
import { isRequired } from '../assertions/observed.ts'
import {
  type Delivery,
  type Mailbox,
  type ReceiverAnswer,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../servers/webhookReceiver.ts'
import { fixture } from './fixtures.ts'
import { type CallKey, withOwnKey } from './ownKey.ts'
import { createTask, failureOf, resultOf, taskParams } from './requests.ts'
import { createTaskSubject } from './subjects.ts'

/** What a check needs that makes a task fail and receives its notification. */
export const webhookNeeds = [...createTaskSubject.needs, 'key:rpc', 'webhook-receiver'] as const

/** A valid HTTPS address with an unresolvable host name. */
export const anyUrl = 'https://hooks.example.invalid/failures'

/** Usual timeout of a notification, which is delivered in the background, on a busy machine. */
const deliveredWithinMs = 30_000
/** How long to wait before a notification counts as not sent. */
export const silenceMs = 700

export const registerWebhook = (t: CheckContext, params: unknown, key: CallKey) =>
  t.gateway.call('registerWebhook', params, { key })

export const unregisterWebhook = (t: CheckContext, key: CallKey, params: unknown = {}) =>
  t.gateway.call('unregisterWebhook', params, { key })

/** `success` is true, `message` is a string (section 4.9). */
export function expectRegistered(answer: Answer): JsonObject {
  const result = expectResultObject(answer)
  expectEqual(
    { success: result.success, message: typeof result.message },
    { success: true, message: 'string' },
    'the result',
  )
  return result
}

/** A refused registration: an error object, or a result whose `success` is false. */
export const isRefused = (answer: Answer): boolean =>
  answer.status < 500 && failureOf(answer) !== undefined && isObject(answer.json)

type Holder = { users: number; receiver: Promise<WebhookReceiver>; closing: Promise<void> }

const noReceiver = Promise.resolve(undefined as unknown as WebhookReceiver)

/** One receiver for all running checks; it stops after the last of them. */
async function withReceiver<T>(
  t: CheckContext,
  run: (receiver: WebhookReceiver) => Promise<T>,
): Promise<T> {
  const holder = await t.once<Holder>('webhook receiver', async () => ({
    users: 0,
    receiver: noReceiver,
    closing: Promise.resolve(),
  }))
  if (holder.users++ === 0)
    holder.receiver = holder.closing.then(() =>
      startWebhookReceiver(t.target.webhookReceiver ?? {}),
    )
  const receiver = await holder.receiver
  try {
    return await run(receiver)
  } finally {
    if (--holder.users === 0) holder.closing = receiver.close()
  }
}

/** A mailbox with the address at which the gateway reaches it. */
export type Box = Mailbox & { readonly url: string } & Pick<CheckContext, 'patienceMs'>

/** A key of the target's own may have a webhook of another user, or of a run that was interrupted. */
export async function clearShared(t: CheckContext, key: CallKey): Promise<void> {
  if (typeof key === 'string') await t.cleanup(() => unregisterWebhook(t, key))
}

/** Runs something with a dedicated API key that has no webhook before and afterwards. */
export const withClearedKey = <T>(t: CheckContext, run: (key: CallKey) => Promise<T>): Promise<T> =>
  withOwnKey(t, async (key) => {
    await clearShared(t, key)
    return run(key).finally(() => t.cleanup(() => unregisterWebhook(t, key)))
  })

/** Runs something with mailboxes that give these answers. */
export const withMailbox = <T>(
  t: CheckContext,
  answers: readonly ReceiverAnswer[],
  run: (box: Box) => Promise<T>,
): Promise<T> =>
  withReceiver(t, async (receiver) => {
    const base = receiverUrl(t.target, receiver.port)
    if (base === undefined) throw new Untestable('the gateway cannot reach the suite')
    const mailbox = receiver.open(answers)
    try {
      return await run({ ...mailbox, url: `${base}${mailbox.path}`, patienceMs: t.patienceMs })
    } finally {
      for (const delivery of mailbox.deliveries) {
        const { path, headers, body, answered, at } = delivery
        t.heard('the request to a webhook', { body: body.toString(), headers })
        t.saw({ kind: 'webhook', path, headers, body: body.toString(), answered }, at)
      }
      mailbox.close()
    }
  })

export type WebhookOptions = {
  readonly answers?: readonly ReceiverAnswer[]
  /** Params of the registration besides the URL. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly standIn?: 'rpc' | 'stranger'
}

export type Webhook = { readonly key: CallKey; readonly box: Box }

/** Registers the mailbox; a gateway that rejects all addresses of the suite is untestable. */
export async function registerBox(
  t: CheckContext,
  box: Box,
  key: CallKey,
  params: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const answer = await registerWebhook(t, { url: box.url, ...params }, key)
  if (!isRequired(t, 'plain-http-webhook') && box.url.startsWith('http:') && isRefused(answer))
    throw new Untestable(`the gateway accepts no http address: ${failureOf(answer)}`)
  expectRegistered(answer)
}

/**
 * Registers the mailbox with a key that may have a webhook. What a second registration does is open
 * (clause 4.9-15): false if it is refused.
 */
export async function registerAgain(t: CheckContext, box: Box, key: CallKey): Promise<boolean> {
  const answer = await registerWebhook(t, { url: box.url }, key)
  if (!isRequired(t, 'second-registration') && isRefused(answer)) return false
  expectRegistered(answer)
  return true
}

/**
 * Runs something with a dedicated API key whose webhook is a mailbox; both are removed afterwards.
 */
export const withWebhook = <T>(
  t: CheckContext,
  { answers = [200], params = {}, standIn }: WebhookOptions,
  run: (webhook: Webhook) => Promise<T>,
): Promise<T> =>
  withOwnKey(
    t,
    (key) =>
      withMailbox(t, answers, async (box) => {
        await clearShared(t, key)
        await registerBox(t, box, key, params)
        try {
          return await run({ key, box })
        } finally {
          await t.cleanup(() => unregisterWebhook(t, key))
        }
      }),
    standIn,
  )

/** A task that fails immediately by timeout; returns its id if the response contains it. */
export async function failTask(t: CheckContext, key: CallKey): Promise<string | undefined> {
  const params = taskParams(t, fixture.simple, { timeout: 0.001 })
  const answer = await createTask(t, params, { key })
  if (failureOf(answer) === undefined)
    throw new TooLate('a task with a timeout of one millisecond succeeded')
  const result = resultOf(answer)
  const id = isObject(result) ? result.task_id : undefined
  return typeof id === 'string' ? id.toLowerCase() : undefined
}

/** The payload of a delivery, which must be a JSON object. */
export function payloadOf({ body }: Delivery): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    value = body.toString()
  }
  expectObject(value, 'the payload')
  return value
}

/** Waits until that many deliveries have arrived. */
export async function expectDeliveries(
  box: Box,
  count: number,
  usualMs: number = deliveredWithinMs,
): Promise<readonly Delivery[]> {
  const ms = box.patienceMs(usualMs)
  await box.wait(count, ms)
  const { length } = box.deliveries
  if (length < count)
    throw new NotInTime('the number of deliveries is wrong', {
      expected: `${count} within ${Math.round(ms / 1000)} s`,
      observed: `${length}: ${box.deliveries.map((d) => show(d.body.toString())).join(' | ')}`,
    })
  return box.deliveries
}

/** Creates a task that fails, and returns its first delivery. */
export async function deliveredFailure(
  t: CheckContext,
  { key, box }: Webhook,
): Promise<{ taskId: string | undefined; delivery: Delivery }> {
  const taskId = await failTask(t, key)
  const [delivery] = await expectDeliveries(box, 1)
  return { taskId, delivery: delivery! }
}

/**
 * Waits for a while, in which no further delivery may arrive. Where the gateway gave up the last one
 * before the suite's response, which a busy machine may delay, it is right to send it again.
 */
export async function expectSilence(box: Box, count: number, ms = silenceMs): Promise<void> {
  await box.wait(count + 1, ms)
  if (box.deliveries.length > count && box.deliveries[count - 1]?.gaveUpAt !== undefined)
    throw new NotInTime('the response of the suite to a delivery did not arrive', {
      expected: 'before the timeout of the webhook',
      observed: `the gateway ended the connection, and delivered again`,
    })
  expectThat(
    box.deliveries.length === count,
    'the number of deliveries',
    count,
    `${box.deliveries.length}: ${box.deliveries.map((d) => show(d.body.toString())).join(' | ')}`,
  )
}
