import type { Readable } from 'node:stream'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { Pool } from 'undici'
import { operatorUnreachable } from './operatorErrors.ts'
import { operatorBodyLimit } from './wire.ts'

export type Exchange = {
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** For the whole exchange, milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

export type Exchanger = {
  /** @throws ServiceError `operator unreachable: ...`, or the reason of the signal */
  post(exchange: Exchange): Promise<Answer>
  close(): Promise<void>
}

export type ExchangerOptions = {
  /** Without a path. */
  readonly url: string
  /** Timeout of connecting, milliseconds. */
  readonly connectMs: number
  /** Maximum number of connections; the time spent waiting for one counts. */
  readonly connections: number
}

/**
 * HTTP client for one operator. Whatever the peer does, an exchange ends within its timeout and
 * buffers at most one answer of bounded size; a failed exchange closes its connection.
 */
export function createExchanger({ url, connectMs, connections }: ExchangerOptions): Exchanger {
  const pool = new Pool(url, {
    connections,
    connectTimeout: connectMs,
    // Shorter than the operator's keep-alive, so that no connection is used while it is being
    // closed.
    keepAliveTimeout: 5_000,
    keepAliveMaxTimeout: 10_000,
    // Covered by the timeout of the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async post({ path, body, headers, timeoutMs, signal }) {
      const limit = linkedSignal(signal)
      let begun = false
      const late = () => operatorUnreachable(lateText(begun, timeoutMs))
      limit.abortAfter(timeoutMs, late)
      try {
        limit.signal.throwIfAborted()
        const request = { path, method: 'POST', headers, body, signal: limit.signal } as const
        const { statusCode: status, headers: told, body: stream } = await pool.request(request)
        begun = true
        return { status, headers: told, body: await bounded(stream, told['content-length']) }
      } catch (error) {
        if (limit.signal.aborted) throw limit.signal.reason
        throw isServiceError(error) ? error : operatorUnreachable(textOf(error, begun), error)
      } finally {
        limit.release()
      }
    },
    close: () => pool.destroy(),
  }
}

function lateText(begun: boolean, timeoutMs: number) {
  const time = `${timeoutMs / 1000} s`
  return begun ? `its answer did not end within ${time}` : `no answer within ${time}`
}

/**
 * Leaving the loop early destroys the stream, and thereby the connection.
 *
 * @param announced content-length, if there is one
 */
async function bounded(
  stream: Readable,
  announced: string | readonly string[] | undefined,
): Promise<Buffer> {
  if (Number(announced) > operatorBodyLimit) {
    stream.destroy()
    throw operatorUnreachable('its answer is too large')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > operatorBodyLimit) throw operatorUnreachable('its answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const isServiceError = (error: unknown): boolean => error instanceof ServiceError

/** Nothing listens there: an immediate failure, unlike a hanging operator. */
export const connectionRefused = 'connection refused'

/** Before the start of an answer. */
export const connectionClosed = 'it closed the connection without an answer'

/** Fixed texts, because system messages contain addresses. */
function textOf(error: unknown, begun: boolean): string {
  if (begun) return 'its answer was cut off'
  const { code, name } = (error ?? {}) as { code?: string; name?: string }
  if (code === 'ECONNREFUSED') return connectionRefused
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'no connection in time'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown host name'
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE')
    return connectionClosed
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'its headers are too large'
  if (name === 'HTTPParserError' || code?.startsWith('HPE_')) return 'its answer is not HTTP'
  return 'connection failed'
}
