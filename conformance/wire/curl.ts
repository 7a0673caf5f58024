import type { Exchange } from '../core/exchange.ts'

/** Longer bodies are truncated: a shell line is to be read and pasted. */
const longestBody = 6000

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The exchange as a shell line; the key is the variable that contains it, never its value. */
export function curlOf(exchange: Exchange): string {
  const body = exchange.request.body
  const shown = body.length > longestBody ? `${body.slice(0, longestBody)}...` : body
  const headers = Object.entries(exchange.request.headers).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  )
  const { key, keyHeader } = exchange.request
  const keyed = keyHeader === 'x-api-key' ? 'x-api-key: ' : 'authorization: Bearer '
  const authorization = key === undefined ? [] : [`-H "${keyed}$${key}"`]
  const { method: name } = exchange.request
  const method = name === 'POST' || name === 'GET' ? [] : [name === 'HEAD' ? '-I' : `-X ${name}`]
  return [
    'curl -s',
    ...method,
    quote(exchange.request.url),
    ...headers,
    ...authorization,
    ...(name === 'POST' ? [`--data-binary ${quote(shown)}`] : []),
  ].join(' ')
}
