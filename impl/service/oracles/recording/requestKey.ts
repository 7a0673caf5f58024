import type { HostRequest } from '../hostFetch.ts'

/** Headers sorted by name; those with the same name stay in the order they were sent. */
export const sortedHeaders = (
  headers: readonly [string, string][],
  redacted: ReadonlySet<string>,
): [string, string][] =>
  headers
    .map(([name, value]): [string, string] => {
      const lower = name.toLowerCase()
      return [lower, redacted.has(lower) ? '(redacted)' : value]
    })
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

/** The identity of a request. An absent body and an empty one are the same. */
export const requestKey = (
  { method, url, headers, body }: HostRequest,
  redacted: ReadonlySet<string>,
): string =>
  JSON.stringify([
    method,
    url,
    sortedHeaders(headers, redacted),
    Buffer.from(body ?? []).toString('base64'),
  ])
