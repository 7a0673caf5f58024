import { getAddress } from 'viem'
import { answered, type Json } from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other forms of answers: the same content, written in another way. */

type Fetch = (request: Request) => Response | Promise<Response>

/** Changes the JSON of every answer of the gateway and the explorer. */
function everyAnswer(change: (json: Json) => Json): NonNullable<Variant['parts']> {
  const wrap =
    (fetch: Fetch): Fetch =>
    async (request) => {
      const response = await fetch(request)
      if (!/json/.test(response.headers.get('content-type') ?? '')) return response
      const text = await response.text()
      // Numbers past 2^53 do not survive parsing.
      if (/\d{16}/.test(text.replaceAll(/"[^"]*"/g, ''))) return answered(response, text)
      return answered(response, JSON.stringify(change(JSON.parse(text))))
    }
  return () => ({ wrapGatewayFetch: wrap, wrapExplorerFetch: wrap })
}

/** What an oracle, a policy or a caller determines, in which the gateway may not add anything. */
const opaque = new Set(['policy_params_and_data', 'parsed_intent', 'schema', 'result', 'wasm'])

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}

/** A member of the vendor in results, in error objects, and in rows of the explorer. */
function extended(answer: Json): Json {
  const more = { x_vendor: { region: 'north', ms: 1.5 } }
  if (!isObject(answer)) return answer
  if (answer.jsonrpc === undefined) {
    const { data, detail } = answer
    // The bodies of the explorer's errors are specified.
    if (detail !== undefined) return answer
    const rows = Array.isArray(data)
      ? data.map((row) => (isObject(row) ? { ...row, ...more } : row))
      : data
    return { ...answer, ...(data === undefined ? {} : { data: rows }), ...more }
  }
  if (isObject(answer.error)) return { ...answer, error: { data: more, ...answer.error } }
  const { result } = answer
  return isObject(result) ? { ...answer, result: { ...result, ...more } } : answer
}

/** Addresses with their checksum (EIP-55), except in what others determine. */
function checksummed(value: Json, name = ''): Json {
  if (opaque.has(name)) return value
  if (typeof value === 'string') return /^0x[0-9a-f]{40}$/.test(value) ? getAddress(value) : value
  if (Array.isArray(value)) return value.map((each) => checksummed(each))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, checksummed(member, key)]),
  )
}

const checksummedAnswer = (answer: Json): Json =>
  isObject(answer?.result)
    ? { ...answer, result: checksummed(answer.result) }
    : checksummed(answer, 'answer')

/** Null members left out of the results of operations. */
function withoutNulls(answer: Json): Json {
  if (!isObject(answer?.result) || answer.result.success === undefined) return answer
  const entries = Object.entries(answer.result).filter(([, value]) => value !== null)
  return { ...answer, result: Object.fromEntries(entries) }
}

function headers(change: (headers: Headers) => void): NonNullable<Variant['parts']> {
  const wrap =
    (fetch: Fetch): Fetch =>
    async (request) => {
      const response = await fetch(request)
      const changed = new Headers(response.headers)
      change(changed)
      return new Response(response.body, { status: response.status, headers: changed })
    }
  return () => ({ wrapGatewayFetch: wrap, wrapExplorerFetch: wrap })
}

export const answerVariants: readonly Variant[] = [
  {
    id: 'answer.members-reversed',
    choice: 'writes the members of objects in reverse order',
    parts: everyAnswer(reversed),
  },
  {
    id: 'answer.more-members',
    choice: 'adds a member of its own to results, errors and rows',
    parts: everyAnswer(extended),
  },
  {
    id: 'answer.checksummed-addresses',
    choice: 'writes addresses with their checksum',
    parts: everyAnswer(checksummedAnswer),
  },
  {
    id: 'answer.no-nulls',
    choice: 'leaves out members that are null, where the specification does not show them',
    parts: everyAnswer(withoutNulls),
  },
  {
    id: 'answer.charset',
    choice: 'names the character set of its JSON',
    parts: headers((fields) => {
      if (/^application\/json$/.test(fields.get('content-type') ?? ''))
        fields.set('content-type', 'application/json; charset=utf-8')
    }),
  },
  {
    id: 'answer.proxy-headers',
    choice: 'adds headers, as reverse proxies do',
    parts: headers((fields) => {
      fields.set('via', '1.1 proxy')
      fields.set('x-request-id', '01J9ZQ3V9X')
      fields.set('strict-transport-security', 'max-age=31536000')
    }),
  },
]
