import type { Brand } from 'polgate-protocol/brand.ts'
import type { Explorer, ExplorerOptions } from '../core/gateway.ts'
import { answerOf, patiently, type Watch } from './answer.ts'
import { send, type Transport } from './exchange.ts'

function queryOf(query: NonNullable<ExplorerOptions['query']>): string {
  if (typeof query === 'string') return query
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
  return new URLSearchParams(pairs).toString()
}

/** An explorer that reports every exchange to `watch`. `network` is that of the target, if it has one. */
export const createExplorer = (
  transport: Transport,
  brand: Brand,
  network: string | undefined,
  watch: Watch,
): Explorer => ({
  get: async (path, options = {}) => {
    const query = options.query === undefined ? '' : queryOf(options.query)
    const named = options.network === undefined ? network : (options.network ?? undefined)
    const exchange = await patiently(options.patient ?? true, async () => {
      const made = await send(transport, {
        method: options.method ?? 'GET',
        path: `${options.unversioned ? '' : '/v1'}${path}${query === '' ? '' : `?${query}`}`,
        key: options.key === null ? undefined : (options.key ?? 'read'),
        keyHeader: options.keyHeader,
        headers: {
          ...options.headers,
          ...(named === undefined ? {} : { [brand.networkHeader]: named }),
        },
      })
      watch.saw(made)
      return made
    })
    return answerOf(exchange, undefined, watch.read)
  },
})
