import type { IncomingMessage } from 'node:http'
import { invalidApiKey } from 'polgate-protocol/serviceError.ts'
import { socketKeyParameter, socketPath } from 'polgate-protocol/socketAddress.ts'
import { authenticate, bearerKey, requirePermission } from '../authentication.ts'
import type { Caller, KeyPort } from '../ports.ts'

/** Whether the path, without its query, is that of the WebSocket (decision W1). */
export const isSocketPath = (url: string | undefined): boolean =>
  url?.split('?', 1)[0] === socketPath

/**
 * The key of a handshake (decision W2): that of the header, else the only `api_key` of the query,
 * percent-decoded. Undefined if there is none or it is ambiguous.
 */
export function handshakeKey({
  url,
  headersDistinct,
}: Pick<IncomingMessage, 'url' | 'headersDistinct'>): string | undefined {
  // Of a repeated header, Node's `headers` has the first alone.
  const sent = headersDistinct.authorization
  if (sent !== undefined) return sent.length === 1 ? bearerKey(sent[0]) : undefined
  const query = url?.split('?').slice(1).join('?') ?? ''
  const values = query
    .split('&')
    .filter((pair) => pair.startsWith(`${socketKeyParameter}=`))
    .map((pair) => pair.slice(socketKeyParameter.length + 1))
  if (values.length !== 1) return undefined
  try {
    return bearerKey(`Bearer ${decodeURIComponent(values[0]!)}`)
  } catch {
    return undefined
  }
}

/** @throws ServiceError -32001, -32003 (decision E8) */
export async function authorize(keys: KeyPort, key: string | undefined): Promise<Caller> {
  if (key === undefined) throw invalidApiKey()
  const caller = await authenticate(keys, `Bearer ${key}`)
  requirePermission(caller, 'RpcRead')
  return caller
}

/**
 * Whether a page of this origin may connect. Only browsers send an origin; they do not send a
 * preflight request for a WebSocket, so the CORS list is enforced here (decision E12).
 */
export const isOriginAllowed = (origin: string | undefined, allowed: readonly string[]): boolean =>
  origin === undefined || allowed.includes(origin) || allowed.includes('*')
