/** What the text of an observation says of an answer. */
export type AnswerText = {
  /** HTTP status, as digits. */
  readonly status?: string
  /** Code of its error. */
  readonly code?: string
  /** Its error in one line: code, message and details, or the text of a result that reports a failure. */
  readonly error?: string
  /** It is a response with a result that reports no failure. */
  readonly isSuccess: boolean
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const filled = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const errorText = (code: string, message = '', details?: string): string =>
  `${`${code} ${message}`.trim()}${details === undefined ? '' : `: ${details}`}`

/** An error object of JSON-RPC, or the frame of an error. */
function errorObject(value: Json): Pick<AnswerText, 'code' | 'error'> | undefined {
  const { code, message, data } = value
  if (typeof code !== 'number') return undefined
  const details = filled(data) ?? filled(value.details)
  return { code: String(code), error: errorText(String(code), filled(message), details) }
}

/** The error of a response, a result or an explorer's answer: an object, or a text of its own. */
function errorOf(value: unknown): Pick<AnswerText, 'code' | 'error'> | undefined {
  if (!isObject(value)) return undefined
  const own = errorObject(value)
  if (own !== undefined) return own
  if (isObject(value.error)) return errorObject(value.error)
  const text = filled(value.error)
  if (text !== undefined) return { error: `"${text}"` }
  return errorOf(value.result)
}

/** Whether a response has a result that reports no failure. */
function succeeds(value: unknown): boolean {
  if (!isObject(value) || !('result' in value)) return false
  const { result } = value
  return !isObject(result) || (result.success !== false && result.status !== 'failed')
}

/** The error in a text that is not JSON: one that is cut, or a code with its message. */
function errorInPart(text: string): Pick<AnswerText, 'code' | 'error'> | undefined {
  const own = /^(-32\d{3})\b.*$/m.exec(text)
  if (own !== null) return { code: own[1]!, error: own[0] }
  const code = /"code":\s?(-?\d+)/.exec(text)?.[1]
  if (code === undefined) return undefined
  const member = (name: string) =>
    new RegExp(`"${name}":\\s?"((?:[^"\\\\]|\\\\.)*)`).exec(text)?.[1] || undefined
  return { code, error: errorText(code, member('message'), member('data') ?? member('details')) }
}

/** The start of a response with a result; what follows is cut. */
const isResultInPart = (text: string) =>
  /^\{"jsonrpc":"2\.0","result":/.test(text) && !/"success":false|"status":"failed"/.test(text)

/** What a text says of an answer: `HTTP 200: {"jsonrpc":...}`, a response, a result or an error object. Never throws. */
export function answerIn(text: string): AnswerText {
  const [, status, body = ''] = /^(?:(?:HTTP )?(\d{3})(?:: ?|$))?([\s\S]*)$/.exec(text) ?? []
  const value = parsed(body)
  const error = value === undefined ? errorInPart(body) : errorOf(value)
  return {
    ...(status === undefined ? {} : { status }),
    ...error,
    isSuccess:
      error === undefined && (value === undefined ? isResultInPart(body) : succeeds(value)),
  }
}
