import { randomUUID } from 'node:crypto'
import type { Brand } from '../../impl/protocol/brand.ts'
import {
  type Exchange,
  type KeyName,
  type OwnKey,
  type SendOptions,
  send,
  type Transport,
} from './exchange.ts'

/** An exchange whose body was read as JSON; `json` is undefined where it is none. */
export type Answer = {
  readonly exchange: Exchange
  readonly status: number
  readonly json: unknown
  /** The id that was sent, to compare with the one that came back. */
  readonly id: unknown
}

export type CallOptions = {
  /** Defaults to the read key; null sends no Authorization header. */
  readonly key?: KeyName | OwnKey | null
  readonly id?: unknown
  readonly timeoutMs?: number
}

/** The gateway as a caller sees it; method names without the brand's prefix (decision E13). */
export type Gateway = {
  readonly method: (name: string) => string
  readonly call: (name: string, params: unknown, options?: CallOptions) => Promise<Answer>
  readonly send: (options: SendOptions) => Promise<Answer>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A gateway that reports every exchange to `saw`. */
export const createGateway = (
  transport: Transport,
  brand: Brand,
  saw: (exchange: Exchange) => void,
): Gateway => {
  const method = (name: string) => `${brand.methodPrefix}${name}`
  const sendAndParse = async (options: SendOptions, id: unknown): Promise<Answer> => {
    const exchange = await send(transport, options)
    saw(exchange)
    return { exchange, status: exchange.status, json: parse(exchange.body), id }
  }
  return {
    method,
    send: (options) => sendAndParse(options, undefined),
    call: (name, params, options = {}) => {
      const id = options.id === undefined ? randomUUID() : options.id
      return sendAndParse(
        {
          body: JSON.stringify({ jsonrpc: '2.0', method: method(name), params, id }),
          key: options.key === null ? undefined : (options.key ?? 'read'),
          ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
        },
        id,
      )
    },
  }
}
