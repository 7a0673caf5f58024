import type { Brand } from 'polgate-protocol/brand.ts'
import { type Answer, answerOf, patiently } from './answer.ts'
import {
  type Exchange,
  type KeyHeader,
  type KeyName,
  type OwnKey,
  send,
  type Transport,
} from './exchange.ts'

export type ExplorerOptions = {
  /** Defaults to the read key; null sends none; a raw header value for checks of the header. */
  readonly key?: KeyName | OwnKey | { readonly header: string } | null
  /** Defaults to `Authorization: Bearer`. */
  readonly keyHeader?: KeyHeader
  /** The network header as sent; null sends none; the target's own network by default. */
  readonly network?: string | null
  /** Without the question mark, or names and values. */
  readonly query?: string | Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  /** Outside `/v1`, for unversioned paths. */
  readonly unversioned?: true
  /** False for a check that expects a 429; otherwise the request is retried when allowed. */
  readonly patient?: boolean
}

/** The explorer from a client's view (section 4.12). */
export type Explorer = {
  /** `path` is below `/v1` and sent unchanged: the caller encodes it. */
  readonly get: (path: string, options?: ExplorerOptions) => Promise<Answer>
}

const queryOf = (query: NonNullable<ExplorerOptions['query']>): string => {
  if (typeof query === 'string') return query
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
  return new URLSearchParams(pairs).toString()
}

/** An explorer that reports every exchange to `saw`. `network` is that of the target, if it has one. */
export const createExplorer = (
  transport: Transport,
  brand: Brand,
  network: string | undefined,
  saw: (exchange: Exchange) => void,
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
      saw(made)
      return made
    })
    return answerOf(exchange)
  },
})
