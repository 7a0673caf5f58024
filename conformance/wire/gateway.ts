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
  /** False for a check that wants to see a 429; else the request is sent again when it may. */
  readonly patient?: boolean
}

/** A wait that a limited caller is asked for is kept up to here; past it the 429 is the answer. */
const longestWaitSeconds = 5
const mostTries = 6

/** Milliseconds after which a limited request may be sent again; undefined where none is limited. */
const waitOf = ({ status, headers }: Exchange): number | undefined => {
  const seconds = Number(headers['retry-after'])
  return status === 429 && seconds > 0 && seconds <= longestWaitSeconds ? seconds * 1000 : undefined
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
  const sendAndParse = async (
    options: SendOptions,
    id: unknown,
    tries = mostTries,
  ): Promise<Answer> => {
    const exchange = await send(transport, options)
    saw(exchange)
    const wait = waitOf(exchange)
    if (wait !== undefined && tries > 1) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      return sendAndParse(options, id, tries - 1)
    }
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
        options.patient === false ? 1 : mostTries,
      )
    },
  }
}
