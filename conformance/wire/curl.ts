import type { Exchange } from '../core/exchange.ts'

/** Longer bodies are truncated: a shell line is to be read and pasted. */
const longestBody = 6000

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A request as a shell line; the key is the variable that contains it, never its value. */
export function curlOf(request: Exchange['request']): string {
  const { body, key, keyHeader, method: name } = request
  const shown = body.length > longestBody ? `${body.slice(0, longestBody)}...` : body
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  )
  const keyed = keyHeader === 'x-api-key' ? 'x-api-key: ' : 'authorization: Bearer '
  const authorization = key === undefined ? [] : [`-H "${keyed}$${key}"`]
  const method = name === 'POST' || name === 'GET' ? [] : [name === 'HEAD' ? '-I' : `-X ${name}`]
  return [
    'curl -s',
    ...method,
    quote(request.url),
    ...headers,
    ...authorization,
    ...(name === 'POST' ? [`--data-binary ${quote(shown)}`] : []),
  ].join(' ')
}
