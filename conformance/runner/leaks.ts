import type { Received } from '../core/events.ts'
import type { Exchange } from '../core/exchange.ts'
import { isObject } from '../core/expect.ts'
import { rpcMethodIn } from '../core/unanswered.ts'

/** Where in a JSON value a text is: `$.error.data[0]`; undefined if it is nowhere. */
function pathIn(value: unknown, text: string, path = '$'): string | undefined {
  if (typeof value === 'string') return value.includes(text) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    if (isObject(value) && name.includes(text)) return `the name of a member of ${path}`
    const below = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    const found = pathIn(member, text, below)
    if (found !== undefined) return found
  }
  return undefined
}

/** Where it contains a text: a JSON path, a header, or the body. */
export function placeOf({ body, headers = {} }: Received, text: string): string | undefined {
  const header = Object.entries(headers).find(([, value]) => value.includes(text))
  if (header !== undefined) return `header ${header[0]}`
  if (!body.includes(text)) return undefined
  try {
    return pathIn(JSON.parse(body), text) ?? 'the body'
  } catch {
    return 'the body'
  }
}

/** The answer as a leak names it. */
export function answerName({ request }: Exchange): string {
  const method = rpcMethodIn(request.body)
  if (method !== undefined) return `the answer to ${method}`
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : request.url
  return `the answer to ${request.method} ${path}`
}
