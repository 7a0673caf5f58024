/** The relevant members of a JSON-RPC body: untrusted input. */
type Call = Readonly<Record<string, unknown>>

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null

function callsIn(body: Buffer): readonly Call[] {
  const value = parse(body)
  return (Array.isArray(value) ? value : [value]).filter(isCall)
}

/** The methods that a body calls; none if it is not JSON-RPC. */
export const methodsIn = (body: Buffer): readonly string[] =>
  callsIn(body).flatMap(({ method }) => (typeof method === 'string' ? [method] : []))

/** Replaces the results of calls of one method in a response. */
export function withResult(asked: Buffer, answer: Buffer, method: string, result: string): Buffer {
  const ids = callsIn(asked).flatMap((call) => (call.method === method ? [call.id] : []))
  const value = parse(answer)
  if (ids.length === 0 || !isCall(value)) return answer
  const change = (one: unknown) =>
    isCall(one) && ids.includes(one.id) ? { jsonrpc: '2.0', id: one.id, result } : one
  return Buffer.from(JSON.stringify(Array.isArray(value) ? value.map(change) : change(value)))
}

/** Changes a request for the state of the latest block to that of the given block. */
export const atBlock = (asked: Buffer, block: string): Buffer =>
  Buffer.from(asked.toString().replaceAll('"latest"', JSON.stringify(block)))
