import { parseExact } from 'polgate-protocol/exactJson.ts'
import type { JsonRpcId } from 'polgate-protocol/jsonRpc.ts'
import type { ServiceError } from 'polgate-protocol/serviceError.ts'
import {
  clientMessages,
  type SubscribeMessage,
  type UnsubscribeMessage,
} from 'polgate-protocol/socketMessages.ts'
import { invalidRequest, parseError } from '../errors.ts'
import { paramsParser } from '../params.ts'

export type ClientMessage = { readonly id: JsonRpcId } & (
  | Omit<SubscribeMessage, 'id'>
  | Omit<UnsubscribeMessage, 'id'>
)

const parsers = {
  subscribe: paramsParser(clientMessages.subscribe),
  unsubscribe: paramsParser(clientMessages.unsubscribe),
}

const maxIdLength = 256

const isId = (value: unknown): value is JsonRpcId =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && value.length <= maxIdLength)

/** What a frame holds; its id, once it is known to be one, goes with the answer whatever follows. */
export type Frame = { readonly id: JsonRpcId } & (
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly fault: ServiceError }
)

export const readFrame = (text: string): Frame => {
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    const reason = 'the message is not JSON, is nested too deep or has a number too large'
    return { id: null, fault: parseError(reason) }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { id: null, fault: invalidRequest('a message is a JSON object') }
  const { id = null } = value as { id?: unknown }
  if (isId(id)) return { id, value: value as Record<string, unknown> }
  const reason = `id must be a string of at most ${maxIdLength} characters`
  return { id: null, fault: invalidRequest(reason) }
}

/**
 * @throws ServiceError -32700 for what is not JSON, -32600 for what is no message or has another
 * `type`, -32602 for wrong members (section 6.1, decision W3)
 */
export const parseMessage = (frame: Frame): ClientMessage => {
  if ('fault' in frame) throw frame.fault
  const { type, ...rest } = frame.value
  if (type !== 'subscribe' && type !== 'unsubscribe')
    throw invalidRequest('type must be subscribe or unsubscribe')
  // The id has been read; a number of any size is one.
  const message = parsers[type]({ type, ...rest, id: null })
  return { ...message, id: frame.id } as ClientMessage
}
