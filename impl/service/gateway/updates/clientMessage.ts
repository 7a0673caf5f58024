import { type JsonParts, parseParts, RawJson } from 'polgate-protocol/exactJson.ts'
import type { JsonRpcId } from 'polgate-protocol/jsonRpc.ts'
import type { ServiceError } from 'polgate-protocol/serviceError.ts'
import {
  clientMessages,
  type SubscribeMessage,
  type UnsubscribeMessage,
} from 'polgate-protocol/socketMessages.ts'
import { idOf } from '../envelope.ts'
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

/** A parsed frame; a valid id is part of the response even if the rest is invalid. */
export type Frame = { readonly id: JsonRpcId } & (
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly fault: ServiceError }
)

export function readFrame(text: string): Frame {
  let parts: JsonParts
  try {
    parts = parseParts(text)
  } catch {
    return { id: null, fault: parseError('the message is not JSON') }
  }
  const { value, exact } = parts
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { id: null, fault: invalidRequest('a message must be a JSON object') }
  const { id: given = null, ...rest } = value as { id?: unknown }
  const id = idOf(given)
  if (id === undefined || lengthOf(id) > maxIdLength) {
    const reason = `id must be a string of at most ${maxIdLength} characters`
    return { id: null, fault: invalidRequest(reason) }
  }
  try {
    return { id, value: exact(rest) as Record<string, unknown> }
  } catch {
    const reason = 'the message is nested too deeply or contains a number out of range'
    return { id, fault: invalidRequest(reason) }
  }
}

const lengthOf = (id: JsonRpcId): number =>
  typeof id === 'string' ? id.length : id instanceof RawJson ? id.text.length : 0

/**
 * @throws ServiceError -32700 for text that is not JSON, -32600 for a message that is not an object
 * or has an unknown `type`, -32602 for invalid members (section 6.1, decision W3)
 */
export function parseMessage(frame: Frame): ClientMessage {
  if ('fault' in frame) throw frame.fault
  const { type, ...rest } = frame.value
  if (type !== 'subscribe' && type !== 'unsubscribe')
    throw invalidRequest('type must be subscribe or unsubscribe')
  // The id is validated separately, because it may be a number of any size.
  const message = parsers[type]({ type, ...rest, id: null })
  return { ...message, id: frame.id } as ClientMessage
}
