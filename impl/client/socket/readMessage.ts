import type { SocketMessage } from '../generated/rpcTypes.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shapes: Readonly<Record<string, (message: Readonly<Record<string, unknown>>) => boolean>> = {
  subscribed: ({ subscription }) => typeof subscription === 'string',
  unsubscribed: () => true,
  error: ({ error }) =>
    isObject(error) && typeof error.code === 'number' && typeof error.message === 'string',
  update: ({ result }) =>
    isObject(result) &&
    typeof result.event === 'string' &&
    typeof result.task_id === 'string' &&
    isObject(result.data) &&
    typeof result.data.status === 'string' &&
    typeof result.data.progress === 'number' &&
    Array.isArray(result.data.operator_responses),
  notification: ({ result }) =>
    isObject(result) &&
    typeof result.task_id === 'string' &&
    typeof result.notification_id === 'string',
}

/**
 * A message of the gateway. Undefined for a type that this version does not know; `malformed` for
 * text that no gateway sends.
 */
export function readMessage(text: string): SocketMessage | 'malformed' | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'malformed'
  }
  if (!isObject(value) || typeof value.type !== 'string') return 'malformed'
  if (!Object.hasOwn(shapes, value.type)) return undefined
  return shapes[value.type]!(value) ? (value as SocketMessage) : 'malformed'
}
