import { parseExact } from '../../protocol/exactJson.ts'
import type { JsonRpcId } from '../../protocol/jsonRpc.ts'
import {
  clientMessages,
  type SubscribeMessage,
  type UnsubscribeMessage,
} from '../../protocol/socketMessages.ts'
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

/** The frame as an object and its id, so that what follows can be answered. @throws -32700, -32600 */
export const readFrame = (text: string): { id: JsonRpcId; value: Record<string, unknown> } => {
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    throw parseError('the message is not JSON, is nested too deep or has a number too large')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('a message is a JSON object')
  const { id = null } = value as { id?: unknown }
  if (!isId(id)) throw invalidRequest(`id must be a string of at most ${maxIdLength} characters`)
  return { id, value: value as Record<string, unknown> }
}

/** @throws ServiceError -32600 for another `type`, -32602 for wrong members (section 6.1, decision W3) */
export const parseMessage = ({ id, value }: ReturnType<typeof readFrame>): ClientMessage => {
  const { type, ...rest } = value
  if (type !== 'subscribe' && type !== 'unsubscribe')
    throw invalidRequest('type must be subscribe or unsubscribe')
  // The id has been read; a number of any size is one.
  return { ...parsers[type]({ type, ...rest, id: null }), id } as ClientMessage
}
