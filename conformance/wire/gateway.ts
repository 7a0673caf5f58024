import { randomUUID } from 'node:crypto'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Answer } from '../core/answer.ts'
import type { SendOptions } from '../core/exchange.ts'
import type { Gateway } from '../core/gateway.ts'
import { answerOf, patiently, type Watch } from './answer.ts'
import { send, type Transport } from './exchange.ts'

/** A gateway that reports every exchange to `watch`. */
export function createGateway(transport: Transport, brand: Brand, watch: Watch): Gateway {
  const method = (name: string) => `${brand.methodPrefix}${name}`
  const sendAndParse = async (
    options: SendOptions,
    id?: unknown,
    patient = true,
  ): Promise<Answer> => {
    const exchange = await patiently(patient, async () => {
      const made = await send(transport, options)
      watch.saw(made)
      return made
    })
    return answerOf(exchange, id, watch.read)
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
