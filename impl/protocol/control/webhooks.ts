import { type Static, type TLiteral, type TUnion, Type } from '@sinclair/typebox'
import { FailureType } from '../notification.ts'
import { Bytes32, Nullable } from '../scalars.ts'
import { UpdateEvent } from '../taskUpdate.ts'

/** Answers and bodies of the control API of a local stack about webhooks and updates. Times are ISO 8601, UTC. */

/** One of these texts. */
const enumeration = <const T extends readonly string[]>(values: T) =>
  Type.Union(values.map((value) => Type.Literal(value))) as unknown as TUnion<{
    -readonly [At in keyof T]: TLiteral<T[At]>
  }>

const Outcome = enumeration(['delivered', 'refused', 'exhausted', 'unwanted', 'pending'])
const Count = Type.Integer({ minimum: 0 })

/** Body of `POST /webhooks/inbox/register`. */
export const InboxRegistration = Type.Object(
  {
    /** Name of a development key: failures of its tasks are delivered to the inbox. */
    key: Type.String({ minLength: 1, maxLength: 32 }),
    timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
    maxRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    /** Agrees to replace a webhook that the key has already. */
    replace: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type InboxRegistration = Static<typeof InboxRegistration>

/** Body of `PUT /webhooks/inbox/reply`: what the receiver answers from now on; `timeout`: nothing. */
export const InboxReply = Type.Object(
  {
    reply: enumeration(['200', '429', '500', 'timeout']),
    /** With 429: the header `Retry-After`. */
    retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
  },
  { additionalProperties: false },
)
export type InboxReply = Static<typeof InboxReply>

/** A request that arrived at the receiver. */
export const InboxDelivery = Type.Object({
  /** Counts the deliveries, from 1. */
  seq: Count,
  at: Type.String(),
  /** Name of the key of the webhook. */
  key: Type.String(),
  /** Whether signature, idempotency key and payload are right, with the secret of this webhook. */
  verified: Type.Boolean(),
  /** Why not. */
  fault: Nullable(Type.String()),
  /** Of a verified notification, as is the rest. */
  notificationId: Nullable(Type.String()),
  taskId: Nullable(Bytes32),
  type: Nullable(FailureType),
  /** Arrivals of this notification until now. */
  attempt: Count,
  headers: Type.Array(Type.Tuple([Type.String(), Type.String()])),
  /** The first part of it. */
  body: Type.String(),
  /** Bytes of the whole. */
  bodySize: Count,
  /** What the service was answered; null: nothing. */
  status: Nullable(Type.Integer()),
})
export type InboxDelivery = Static<typeof InboxDelivery>

/** `GET /webhooks/inbox?after=SEQ`. */
export const WebhookInboxState = Type.Object({
  receivers: Type.Array(
    Type.Object({
      key: Type.String(),
      /** Whether the key still has this webhook: another may have replaced it, or a revert dropped it. */
      registered: Type.Boolean(),
      timeoutSeconds: Type.Integer(),
      maxRetries: Type.Integer(),
    }),
  ),
  /** Names of the development keys. */
  keys: Type.Array(Type.String()),
  reply: InboxReply,
  /** Of the latest delivery; 0 without one. */
  latest: Count,
  /** In order of arrival, after `after`; the latest 1,000 are kept. */
  deliveries: Type.Array(InboxDelivery),
})
export type WebhookInboxState = Static<typeof WebhookInboxState>

/** An attempt of the service to deliver a notification to any webhook. */
export const DeliveryAttempt = Type.Object({
  at: Type.String(),
  milliseconds: Type.Number(),
  /** Null: no answer. */
  status: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  /** Outside of the schedule: requested by `redeliver`. */
  redelivery: Type.Boolean(),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** A stored failure notification, and what became of it. */
export const NotificationSummary = Type.Object({
  id: Type.String(),
  taskId: Bytes32,
  type: FailureType,
  message: Type.String(),
  createdAt: Type.String(),
  /** Of the schedule, completed. */
  attempts: Count,
  outcome: Outcome,
  lastError: Nullable(Type.String()),
  /** Null once the delivery has ended. */
  nextAttemptAt: Nullable(Type.String()),
  /** Those of the latest 1,000 of this process that belong to it. */
  made: Type.Array(DeliveryAttempt),
})
export type NotificationSummary = Static<typeof NotificationSummary>

/** `GET /webhooks/notifications`: the latest 200, newest first. */
export const NotificationList = Type.Object({
  notifications: Type.Array(NotificationSummary),
  /** Of the clock of the stack. */
  now: Type.String(),
})
export type NotificationList = Static<typeof NotificationList>

/** `POST /webhooks/deliveries/:id/redeliver`. */
export const RedeliveryResult = Type.Object({
  outcome: enumeration(['delivered', 'refused', 'failed']),
  error: Nullable(Type.String()),
})
export type RedeliveryResult = Static<typeof RedeliveryResult>

/** Body of `POST /webhooks/trigger/:type`. */
export const TriggerRequest = Type.Object(
  {
    /** Name of the development key that sends the task; default `rpc`. */
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
  },
  { additionalProperties: false },
)
export type TriggerRequest = Static<typeof TriggerRequest>

/** A failure that is being triggered, or was. */
export const TriggerRun = Type.Object({
  id: Count,
  type: FailureType,
  /** What is done, for people. */
  shown: Type.String(),
  stage: enumeration(['preparing', 'sending', 'notifying', 'delivering', 'ended']),
  startedAt: Type.String(),
  taskId: Nullable(Bytes32),
  notification: Nullable(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      message: Type.String(),
      attempts: Count,
      outcome: Type.String(),
      lastError: Nullable(Type.String()),
    }),
  ),
  /** Whether the notification is of this failure, wherever it was delivered; null until that is known. */
  happened: Nullable(Type.Boolean()),
  error: Nullable(Type.String()),
})
export type TriggerRun = Static<typeof TriggerRun>

/** `GET /webhooks/triggers`: the latest 100, newest first. */
export const TriggerList = Type.Object({
  runs: Type.Array(TriggerRun),
  /** Why a type cannot be triggered on this stack, by type. */
  obstacles: Type.Record(Type.String(), Type.String()),
})
export type TriggerList = Static<typeof TriggerList>

/** A message about a task, as subscribers of its topic get it, without its result. */
export const RecordedUpdate = Type.Object({
  /** Counts the messages, from 1. */
  seq: Count,
  at: Type.String(),
  taskId: Bytes32,
  event: Type.Union([UpdateEvent, Type.Literal('notification')]),
  status: Nullable(Type.String()),
  progress: Nullable(Type.Integer()),
  /** Operators that have answered until then, and those of them that failed. */
  responses: Count,
  failures: Count,
  /** Of a notification, or the error of the latest operator that failed. */
  text: Nullable(Type.String()),
})
export type RecordedUpdate = Static<typeof RecordedUpdate>

/** `GET /updates?after=SEQ&task=ID`: in order; the latest 1,000 are kept. */
export const RecordedUpdates = Type.Object({
  latest: Count,
  updates: Type.Array(RecordedUpdate),
})
export type RecordedUpdates = Static<typeof RecordedUpdates>
