import { type Static, Type } from '@sinclair/typebox'
import { TaskFailureNotification } from './notification.ts'
import { Nullable } from './scalars.ts'
import { TaskUpdate } from './taskUpdate.ts'

/**
 * As in a call (decision E1): by rule a string; a number is echoed unchanged; null if there is
 * none.
 */
const MessageId = Nullable(Type.Union([Type.String({ maxLength: 256 }), Type.Number()]))
const Params = Type.Optional(Nullable(Type.Object({}, { maxProperties: 0 })))

/** Section 6.1. */
export const SubscribeMessage = Type.Object(
  {
    type: Type.Literal('subscribe'),
    id: Type.Optional(MessageId),
    method: Type.String({ maxLength: 512, description: "topic: the brand's prefix and a task id" }),
    params: Params,
  },
  { $id: 'SubscribeMessage' },
)
export type SubscribeMessage = Static<typeof SubscribeMessage>

/** Decision W3. */
export const UnsubscribeMessage = Type.Object(
  {
    type: Type.Literal('unsubscribe'),
    id: Type.Optional(MessageId),
    subscription: Type.String({ maxLength: 256 }),
    params: Params,
  },
  { $id: 'UnsubscribeMessage' },
)
export type UnsubscribeMessage = Static<typeof UnsubscribeMessage>

/** Messages from clients on the WebSocket. */
export const clientMessages = { subscribe: SubscribeMessage, unsubscribe: UnsubscribeMessage }

/** Decision W3. */
export const SubscribedMessage = Type.Object(
  { type: Type.Literal('subscribed'), id: MessageId, subscription: Type.String() },
  { $id: 'SubscribedMessage' },
)

/** Decision W3. */
export const UnsubscribedMessage = Type.Object(
  { type: Type.Literal('unsubscribed'), id: MessageId, subscription: Type.String() },
  { $id: 'UnsubscribedMessage' },
)

/** Decision W3; codes as those of a call (section 7.1, decision E8). */
export const ErrorMessage = Type.Object(
  {
    type: Type.Literal('error'),
    id: MessageId,
    error: Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(Type.Unknown()),
    }),
  },
  { $id: 'ErrorMessage' },
)

/** Section 6.1. */
export const UpdateMessage = Type.Object(
  { type: Type.Literal('update'), subscription: Type.String(), result: TaskUpdate },
  { $id: 'UpdateMessage' },
)

/** Decision W5; in addition to the `failure` update. */
export const NotificationMessage = Type.Object(
  {
    type: Type.Literal('notification'),
    subscription: Type.String(),
    result: TaskFailureNotification,
  },
  { $id: 'NotificationMessage' },
)

/** Messages from the gateway on the WebSocket. */
export const serverMessages = {
  subscribed: SubscribedMessage,
  unsubscribed: UnsubscribedMessage,
  error: ErrorMessage,
  update: UpdateMessage,
  notification: NotificationMessage,
}

export type ServerMessage = {
  [T in keyof typeof serverMessages]: Static<(typeof serverMessages)[T]>
}[keyof typeof serverMessages]
