import { AppError } from 'polgate-lib/errors/appError.ts'
import { blockedPort, isBlockedPort } from 'polgate-lib/http/blockedPort.ts'
import { ConformanceError, Untestable } from './conformanceError.ts'
import type { Exchange } from './exchange.ts'

/** Why a call got no answer, in words of the suite. */
export type Why = {
  /** Without the name of the call: `the connection was refused (ECONNREFUSED)`. */
  readonly text: string
  readonly hint: string
  /** Whether the request may have reached the other side. */
  readonly accepted: boolean
  /** False for an answer that arrived and cannot be read: the other side is there. */
  readonly silent: boolean
}

const running = 'Check that it still runs and accepts connections; its log has the reason.'
const address = 'Check its address in the target file.'
const lost = (what: string, hint = running) => ({ what, hint, accepted: true, silent: true })
const noConnection = (what: string, hint = running) => ({ ...lost(what, hint), accepted: false })
const unreadable = (what: string) => ({
  ...lost(what, 'Send the request with curl -v, and compare the answer with the specification.'),
  silent: false,
})

/** By the code of the error of undici, Node or ws. */
const byCode: Readonly<Record<string, ReturnType<typeof lost>>> = {
  ECONNREFUSED: noConnection('the connection was refused'),
  EHOSTUNREACH: noConnection('there is no route to its host', address),
  ENETUNREACH: noConnection('there is no route to its network', address),
  ENOTFOUND: noConnection('its host name does not resolve', address),
  EAI_AGAIN: noConnection('its host name does not resolve now', address),
  ETIMEDOUT: noConnection('no connection in time'),
  UND_ERR_CONNECT_TIMEOUT: noConnection('no connection in time'),
  ECONNRESET: lost('the connection was closed before the answer was complete'),
  EPIPE: lost('the connection was closed before the request was complete'),
  UND_ERR_SOCKET: lost('the connection was closed before the answer was complete'),
  UND_ERR_HEADERS_TIMEOUT: lost('no answer in time'),
  UND_ERR_BODY_TIMEOUT: lost('the answer did not end in time'),
  UND_ERR_HEADERS_OVERFLOW: unreadable('the headers of the answer are too long'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: unreadable(
    'the answer has another length than its content-length says',
  ),
}

type Coded = { readonly code?: unknown; readonly name?: unknown; readonly cause?: unknown }

/** An error and its causes, outermost first. */
export function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (let each = error; each !== undefined && each !== null && chain.length < 10; ) {
    chain.push(each)
    const { errors } = each as { errors?: unknown }
    each = (each as Coded).cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return chain
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as Coded
  return typeof code === 'string' ? code : undefined
}

/** Why a request failed, from the error that `fetch` or a socket reported. */
export function whyUnanswered(error: unknown): Why {
  const chain = chainOf(error)
  const own = chain.find((each): each is AppError => each instanceof AppError)
  if (own !== undefined) {
    if (own instanceof Unanswered) return own.why
    const { what: _, ...rest } = unreadable('')
    return { ...rest, text: own.message }
  }
  if (isBlockedPort(error)) return { ...noConnection(''), ...blockedPort }
  const late = chain.some((each) =>
    ['TimeoutError', 'AbortError'].includes(`${(each as Coded).name}`),
  )
  const codes = chain.flatMap((each) => codeOf(each) ?? [])
  const known = codes.find((code) => Object.hasOwn(byCode, code))
  const code = known ?? codes[0]
  const { what, ...rest } =
    known !== undefined
      ? byCode[known]!
      : late
        ? lost('no answer in time')
        : code?.startsWith('HPE_')
          ? unreadable('the answer is not valid HTTP')
          : /CERT|TLS|SSL/.test(code ?? '')
            ? noConnection('its TLS certificate was not accepted', address)
            : lost('the request failed')
  const name = code ?? (late ? undefined : (chain.at(-1) as Coded | undefined)?.name)
  return { ...rest, text: name === undefined ? what : `${what} (${String(name)})` }
}

/** What to do about a request without an answer, where there is a better hint than that of its reason. */
export const hintFor = (error: unknown, usual: string): string =>
  isBlockedPort(error) ? blockedPort.hint : usual

/** The JSON-RPC method that a body calls; undefined for other bodies. Bodies may be truncated. */
export const rpcMethodIn = (body: unknown): string | undefined =>
  typeof body === 'string' ? /"method"\s*:\s*"([^"\\]{1,100})"/.exec(body)?.[1] : undefined

function nameOf(method: string, url: string, body: unknown): string {
  const rpc = rpcMethodIn(body)
  return rpc === undefined ? `${method} ${url}` : `${rpc} (${method} ${url})`
}

export type UnansweredOptions = {
  readonly request: Exchange['request']
  readonly ms: number
  readonly cause: unknown
}

/** A request without an answer that can be read: which one, why, and what to do. */
export class Unanswered extends AppError<{ hint: string; cause?: unknown }> {
  readonly why: Why
  readonly request: Exchange['request']
  readonly ms: number

  constructor({ request, ms, cause }: UnansweredOptions) {
    const why = whyUnanswered(cause)
    const call = nameOf(request.method, request.url, request.body)
    super(`${why.silent ? 'no answer to' : 'no readable answer to'} ${call}: ${why.text}`, {
      hint: why.hint,
      cause,
    })
    this.why = why
    this.request = request
    this.ms = ms
  }
}

/**
 * What `run` resolves with; an error of a library becomes an `Unanswered` that names the request,
 * given to `missed` before it is thrown.
 */
export async function named<T>(
  request: Exchange['request'],
  run: () => Promise<T>,
  missed?: (error: Unanswered) => void,
): Promise<T> {
  const started = performance.now()
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof Untestable || cause instanceof ConformanceError) throw cause
    const ms = performance.now() - started
    // `fetch` names it first, by less of the request.
    const original = cause instanceof Unanswered ? cause.cause : cause
    const error = new Unanswered({ request, ms, cause: original })
    missed?.(error)
    throw error
  }
}
