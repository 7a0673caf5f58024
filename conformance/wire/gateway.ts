import { randomUUID } from 'node:crypto'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Answer } from '../core/answer.ts'
import type { Exchange, SendOptions } from '../core/exchange.ts'
import type { Gateway } from '../core/gateway.ts'
import { answerOf, patiently } from './answer.ts'
import { send, type Transport } from './exchange.ts'

/** A gateway that reports every exchange to `saw`. */
export function createGateway(
  transport: Transport,
  brand: Brand,
  saw: (exchange: Exchange) => void,
): Gateway {
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
