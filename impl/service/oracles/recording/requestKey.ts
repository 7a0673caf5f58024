import type { HostRequest } from '../hostFetch.ts'

/** Headers in the order of their names; those of one name stay in the order they were sent in. */
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

/** What a request is known by. No body and an empty one are sent alike. */
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
