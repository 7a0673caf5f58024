import { stringifyExact } from 'polgate-protocol/exactJson.ts'

/**
 * Failures of the transport: a TCP reset, no answer at all, an answer that is not HTTP, and a connection that ends in
 * the middle of the body.
 */
export type TransportFault = 'reset' | 'hang' | 'invalid' | 'short'

/** What a mocked host answers. */
export class OracleReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent: the connection is cut instead of an answer. */
  readonly body: string | Uint8Array | undefined
  readonly delayMs: number
  readonly fault: TransportFault | undefined

  constructor(parts: {
    status: number
    headers: Readonly<Record<string, string>>
    body: string | Uint8Array | undefined
    delayMs: number
    fault?: TransportFault | undefined
  }) {
    this.status = parts.status
    this.headers = parts.headers
    this.body = parts.body
    this.delayMs = parts.delayMs
    this.fault = parts.fault
  }
}

export type ReplyOptions = {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds before the answer; an oracle's call may take 10 s, its run 5 s. Default 0. */
  readonly delayMs?: number
}

/** An answer with JSON; a bigint is an exact number. */
export function replyJson(value: unknown, options: ReplyOptions = {}): OracleReply {
  const headers = { 'content-type': 'application/json', ...options.headers }
  return replyBody(stringifyExact(value), { ...options, headers })
}

/** An answer with text or bytes. */
export function replyBody(body: string | Uint8Array, options: ReplyOptions = {}): OracleReply {
  const { status = 200, headers = {}, delayMs = 0 } = options
  return new OracleReply({ status, headers, body, delayMs })
}

/** A failure of the transport instead of an answer; `short` sends half of the body. */
export const replyFault = (
  fault: TransportFault,
  { delayMs = 0, body = '{"half":"of the body"}' }: { delayMs?: number; body?: string } = {},
): OracleReply => new OracleReply({ status: 0, headers: {}, body, delayMs, fault })

/** The connection is cut without an answer. */
export const replyNothing = ({ delayMs = 0 }: Pick<ReplyOptions, 'delayMs'> = {}): OracleReply =>
  new OracleReply({ status: 0, headers: {}, body: undefined, delayMs })
