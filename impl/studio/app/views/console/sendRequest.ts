import { ApiError, type ApiRequest, fetchApi } from '../../data/api.ts'

/** A response as it arrived. */
export type Received = {
  readonly status: number
  /** From sending to the last byte, milliseconds. */
  readonly ms: number
  readonly bytes: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
  /** Undefined where the body is not JSON. */
  readonly json: unknown
}

/** Sends a request and measures it. @throws ApiError where no response arrives */
export async function sendRequest(path: string, request: ApiRequest): Promise<Received> {
  const started = performance.now()
  const response = await fetchApi(path, request).catch(() => {
    throw new ApiError('Studio is unreachable', 0, 'Is the command that started it still running?')
  })
  const text = await response.text()
  return {
    ...{ status: response.status, text, json: parsed(text) },
    ms: performance.now() - started,
    bytes: new TextEncoder().encode(text).length,
    headers: [...response.headers],
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `ok`, the code of a JSON-RPC error, or an HTTP status. */
export function outcomeOf({ status, json }: Received): string {
  const { error } = (json ?? {}) as { error?: { code?: unknown } }
  if (error?.code !== undefined) return String(error.code)
  return status < 400 ? 'ok' : String(status)
}
