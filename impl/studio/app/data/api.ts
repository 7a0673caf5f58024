import { AppError } from 'polgate-lib/errors/appError.ts'

/** The answer of `/api/target` (see `impl/studio/server/target.ts`). */
export type Target = {
  readonly name: string
  readonly gatewayUrl: string
  readonly chainId?: number
  readonly brand: {
    readonly methodPrefix: string
    readonly topicPrefix: string
    readonly networkHeader: string
    readonly signatureHeader: string
    /** Of the extensions that policies call. */
    readonly regoNamespace: string
  }
  readonly contracts: Readonly<Record<string, string>>
  readonly defaultKey: string
  readonly readOnly: boolean
  readonly keyNames: readonly string[]
  readonly has: {
    readonly explorer: boolean
    readonly chain: boolean
    readonly control: boolean
    readonly admin: boolean
  }
}

/** An answer that is no success; `message` is for the user. */
export class ApiError extends AppError {
  readonly status: number
  constructor(message: string, status: number, hint?: string) {
    super(message, { hint })
    this.status = status
  }
}

const tokenItem = 'studio-token'

/**
 * The token of this page: from the fragment of its address, which it then leaves out, or of an
 * earlier visit in this tab.
 */
function takeToken(): string {
  const given = /(?:^#|&)token=([\w-]+)/.exec(location.hash)?.[1]
  if (given !== undefined) {
    sessionStorage.setItem(tokenItem, given)
    history.replaceState(null, '', `${location.pathname}#/`)
  }
  return given ?? sessionStorage.getItem(tokenItem) ?? ''
}

export const token = takeToken()

/** The origin of this page, and the paths of its API. */
export const apiUrl = `${location.origin}/api`

export type ApiRequest = {
  readonly method?: string
  readonly body?: unknown
  /** A key of the target by its name; default: the one that may do everything. */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Requests a path below `/api`; the caller judges the status. */
export function fetchApi(path: string, request: ApiRequest = {}): Promise<Response> {
  const { method = 'GET', body, key, headers, signal } = request
  return fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'x-studio-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Requests JSON below `/api`. @throws ApiError */
export async function api<T>(path: string, request: ApiRequest = {}): Promise<T> {
  const response = await fetchApi(path, request).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ApiError('Studio is unreachable', 0, 'Is the command that started it still running?')
  })
  const text = await response.text()
  let answer: unknown
  try {
    answer = text === '' ? undefined : JSON.parse(text)
  } catch {
    throw new ApiError(`${response.status}: the answer is not JSON`, response.status)
  }
  if (response.ok) return answer as T
  const { error, hint } = (answer ?? {}) as { error?: unknown; hint?: string }
  const message = typeof error === 'string' ? error : `the request failed with ${response.status}`
  throw new ApiError(message, response.status, hint)
}
