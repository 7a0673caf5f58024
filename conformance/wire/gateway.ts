import { randomUUID } from 'node:crypto'
import type { Brand } from 'polgate-protocol/brand.ts'
import { type Answer, answerOf, patiently } from './answer.ts'
import {
  type Exchange,
  type KeyName,
  type OwnKey,
  type SendOptions,
  send,
  type Transport,
} from './exchange.ts'

export type CallOptions = {
  /** Defaults to the read key; null sends no Authorization header. */
  readonly key?: KeyName | OwnKey | null
  readonly id?: unknown
  readonly timeoutMs?: number
  /** False for a check that expects a 429; otherwise the request is retried when allowed. */
  readonly patient?: boolean
}

/** The gateway from a client's view; method names without the brand's prefix (decision E13). */
export type Gateway = {
  readonly method: (name: string) => string
  readonly call: (name: string, params: unknown, options?: CallOptions) => Promise<Answer>
  readonly send: (options: SendOptions) => Promise<Answer>
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
    id?: unknown,
    patient = true,
  ): Promise<Answer> => {
    const exchange = await patiently(patient, async () => {
      const made = await send(transport, options)
      saw(made)
      return made
    })
    return answerOf(exchange, id)
  }
  return {
    method,
    send: (options) => sendAndParse(options),
    call: (name, params, options = {}) => {
      const id = options.id === undefined ? randomUUID() : options.id
      return sendAndParse(
        {
          body: JSON.stringify({ jsonrpc: '2.0', method: method(name), params, id }),
          key: options.key === null ? undefined : (options.key ?? 'read'),
          ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
        },
        id,
        options.patient,
      )
    },
  }
}
