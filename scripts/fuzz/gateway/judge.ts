/** A response and its duration. */
export type Seen = {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
}

/** Maximum wait unless a param sets it: stages have limits of 5 s, a task has its own. */
const longestWaitMs = 40_000

/** Texts that must not leave the service, by a printable name. */
export type Secrets = ReadonlyMap<string, string>

/**
 * Why a response is wrong, if it is: it must be below 500, in time, without a secret that was not
 * in the request, and JSON-RPC for calls.
 */
export function judge(request: string, seen: Seen, secrets: Secrets): string | undefined {
  if (seen.status >= 500) return `HTTP ${seen.status}: ${seen.text.slice(0, 300)}`
  if (seen.milliseconds > longestWaitMs)
    return `a response after ${seen.milliseconds.toFixed(0)} ms`
  for (const [name, secret] of secrets)
    if (seen.text.includes(secret) && !request.includes(secret))
      return `the response contains ${name}`
  return legal(seen)
}

function legal({ text }: Seen): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return `a response that is not JSON: ${text.slice(0, 200)}`
  }
  const answers = Array.isArray(value) ? value : [value]
  for (const answer of answers) {
    if (typeof answer !== 'object' || answer === null) return 'a response that is not an object'
    if (isUnavailable(answer)) continue
    const { jsonrpc } = answer as { jsonrpc?: unknown }
    if (jsonrpc !== '2.0' || 'result' in answer === 'error' in answer)
      return `a response that is not JSON-RPC: ${text.slice(0, 200)}`
    const { error } = answer as { error?: { code?: unknown; message?: unknown } }
    if (error?.code === -32603) return `an internal error: ${text.slice(0, 300)}`
    if (error !== undefined && (typeof error.message !== 'string' || error.message === ''))
      return 'an error without a message'
  }
  return undefined
}

/** The form of section 4.4, which is not JSON-RPC. */
function isUnavailable(answer: object): boolean {
  const { error } = answer as { error?: { ServiceUnavailable?: unknown } }
  return typeof error?.ServiceUnavailable === 'string'
}
