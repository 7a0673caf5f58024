import type { Seen } from './events.ts'
import type { Exchange } from './exchange.ts'
import { readable } from './shorten.ts'
import { rpcMethodIn } from './unanswered.ts'

/** What a failure is about, in words of the protocol. */
export type SubjectWords = {
  /** A method, a path, a topic or a webhook. */
  readonly call: string
  /** What was sent. */
  readonly sent: string
}

const longestCall = 200
const longestSent = 600

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Message = { readonly method?: unknown; readonly params?: unknown }

/** A single message; undefined for a batch, and for what is no message. */
function messageIn(text: string): Message | undefined {
  const value = parsed(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

function urlParts(url: string): { readonly path: string; readonly query: string } {
  const [, path = url, query = ''] = /^\w+:\/\/[^/?#]*([^?#]*)(.*)$/.exec(url) ?? []
  return { path: path === '' ? '/' : path, query }
}

const usualHeader = (name: string, value: string) =>
  name === 'content-type' && value === 'application/json'

/** What a request contains beside its method and path: parameters or body, query, headers, the key. */
function contentsOf({ url, headers, body, key }: Exchange['request'], isCall: boolean): string {
  const params = isCall ? messageIn(body)?.params : undefined
  const rest = Object.entries(headers).filter(([name, value]) => !usualHeader(name, value))
  const parts = [
    urlParts(url).query,
    params === undefined ? body : JSON.stringify(params),
    ...rest.map(([name, value]) => `${name}: ${value}`),
  ].filter((part) => part !== '')
  const what = parts.length === 0 ? 'nothing' : readable(parts.join(' '), longestSent)
  return `${what} (${key === undefined ? 'without a key' : `key ${key}`})`
}

/** What a request calls: the method of a message, else method and path of HTTP. */
export function requestWords(request: Exchange['request']): SubjectWords {
  const isBatch = request.body.trimStart().startsWith('[')
  const rpc = isBatch ? undefined : rpcMethodIn(request.body)
  const call = rpc ?? `${request.method} ${urlParts(request.url).path}`
  return { call: readable(call, longestCall), sent: contentsOf(request, rpc !== undefined) }
}

/**
 * What a received frame or webhook is about. A frame without a topic is an answer to the frame that
 * was sent last, and a webhook a consequence of the request before it.
 */
export function receivedWords(
  seen: Seen & { readonly kind: 'frame' | 'webhook' },
  {
    frame,
    before,
  }: { readonly frame?: string | undefined; readonly before?: SubjectWords | undefined },
): SubjectWords {
  if (seen.kind === 'webhook')
    return {
      call: readable(`webhook ${seen.path}`, longestCall),
      sent: before === undefined ? 'nothing' : `${before.call} ${before.sent}`,
    }
  const topics = [seen.text, frame ?? ''].map((text) => messageIn(text)?.method)
  const topic = topics.find((each) => typeof each === 'string' && each !== '')
  return {
    call: readable(topic === undefined ? 'WebSocket /ws' : `WebSocket /ws ${topic}`, longestCall),
    sent: frame === undefined ? 'nothing' : readable(frame, longestSent),
  }
}
