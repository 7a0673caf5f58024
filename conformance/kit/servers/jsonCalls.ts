/** What of a JSON-RPC body can be seen from outside: nothing of it is trusted. */
type Call = Readonly<Record<string, unknown>>

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null

const callsIn = (body: Buffer): readonly Call[] => {
  const value = parse(body)
  return (Array.isArray(value) ? value : [value]).filter(isCall)
}

/** The methods that a body calls; none where it is no JSON-RPC. */
export const methodsIn = (body: Buffer): readonly string[] =>
  callsIn(body).flatMap(({ method }) => (typeof method === 'string' ? [method] : []))

/** An answer in which the calls of one method, and no others, have another result. */
export const withResult = (
  asked: Buffer,
  answer: Buffer,
  method: string,
  result: string,
): Buffer => {
  const ids = callsIn(asked).flatMap((call) => (call.method === method ? [call.id] : []))
  const value = parse(answer)
  if (ids.length === 0 || !isCall(value)) return answer
  const change = (one: unknown) =>
    isCall(one) && ids.includes(one.id) ? { jsonrpc: '2.0', id: one.id, result } : one
  return Buffer.from(JSON.stringify(Array.isArray(value) ? value.map(change) : change(value)))
}

/** A request that asks for the state of that block wherever it asked for the latest. */
export const atBlock = (asked: Buffer, block: string): Buffer =>
  Buffer.from(asked.toString().replaceAll('"latest"', JSON.stringify(block)))
