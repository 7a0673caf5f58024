import { HostFetchError } from './hostFetchError.ts'
import { formatBytes, type OracleLimits } from './limits.ts'
import { exceededBound, type RequestBounds } from './requestBounds.mjs'

/** `http-request` of the oracle's http interface. */
export type HostRequest = {
  url: string
  method: string
  headers: [string, string][]
  body?: Uint8Array | undefined
}

/** Set by the host's HTTP client; a request of a guest that sets them is rejected. */
const hostHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

export type RequestLimits = Pick<
  OracleLimits,
  'httpUrlBytes' | 'httpRequestBytes' | 'httpRequestHeaders'
>

/**
 * Rejects requests that a guest may not send. Sizes are checked first, so that a large request is
 * not inspected further. Messages contain nothing of the request except the name of a reserved
 * header.
 *
 * @throws HostFetchError
 */
export function checkRequest(request: HostRequest, limits: RequestLimits): void {
  const { method, headers } = request
  const exceeded = exceededBound(request, requestBounds(limits))
  if (exceeded !== undefined) throw new HostFetchError(exceeded)
  if (!methods.has(method.toUpperCase())) {
    throw new HostFetchError(`the method is not one of ${[...methods].join(', ')}`)
  }
  for (const [name, value] of headers) {
    if (hostHeaders.has(name.toLowerCase())) {
      throw new HostFetchError(`the header ${name.toLowerCase()} is set by the host`)
    }
    if (!headerName.test(name) || !headerValue.test(value)) {
      throw new HostFetchError('a header has a name or a value that HTTP does not allow')
    }
  }
}

/** The limits of a request with their error messages. */
export function requestBounds(limits: RequestLimits): RequestBounds {
  const { httpUrlBytes, httpRequestHeaders, httpRequestBytes } = limits
  return {
    urlBytes: {
      most: httpUrlBytes,
      text: `the URL is longer than ${formatBytes(httpUrlBytes)}`,
    },
    headers: {
      most: httpRequestHeaders,
      text: `the request has more than ${httpRequestHeaders} headers`,
    },
    bytes: {
      most: httpRequestBytes,
      text: `the request is larger than ${formatBytes(httpRequestBytes)}`,
    },
  }
}
