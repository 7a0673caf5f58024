/** One request and its response, without the key's value. */
export type Exchange = {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    /** Name of the environment variable for the key. */
    readonly key: string | undefined
    /** The header that contains the key; `Authorization` by default. */
    readonly keyHeader?: KeyHeader | undefined
  }
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ms: number
}

export type KeyName = 'read' | 'write' | 'rpc' | 'none' | 'expired' | 'stranger' | 'admin'

/** The environment variable of a key: `SVC_KEY_READ`. */
export const keyVariable = (name: KeyName): string => `SVC_KEY_${name.toUpperCase()}`

/** A key created by a check, and the name that replaces it in output. */
export type OwnKey = { readonly value: string; readonly name: string }

/** Headers that may contain a key (sections 5.1 and 5.6). */
export type KeyHeader = 'authorization' | 'x-api-key'

export type SendOptions = {
  readonly method?: string
  /** Below the base URL; `/rpc` by default. */
  readonly path?: string
  readonly body?: string | undefined
  /** A key by name, or a raw header value for checks of the header itself. */
  readonly key?: KeyName | OwnKey | { readonly header: string } | undefined
  readonly keyHeader?: KeyHeader | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}
