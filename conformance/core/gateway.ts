import type { Answer } from './answer.ts'
import type { KeyHeader, KeyName, OwnKey, SendOptions } from './exchange.ts'

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
