import { BuiltinError } from '../../errors.ts'
import { isObject, type ObjectValue, type Value } from '../../values/value.ts'
import { decodeBase64 } from '../base64.ts'
import type { BuiltinContext } from '../builtin.ts'
import { textOf } from '../bytes.ts'
import { readJson } from '../json.ts'

/** The three sections of a token and its decoded header. */
export type Token = {
  readonly header: ObjectValue
  /** The signed text. */
  readonly signed: string
  readonly payload: string
  readonly signature: string
}

/** Bytes of a section; `what` is the start of the error. */
export function section(text: string, what?: string): Buffer {
  try {
    if (text.length % 4 === 1) throw new BuiltinError(`illegal base64url string: ${text}`)
    return Buffer.from(decodeBase64(text, { url: true, padded: text.endsWith('=') }))
  } catch (error) {
    if (!(error instanceof BuiltinError)) throw error
    if (what === undefined) throw error
    throw new BuiltinError(`${what} had invalid encoding: ${error.message}`)
  }
}

function objectIn(ctx: BuiltinContext, text: string, what: string): ObjectValue {
  const value: Value = readJson(ctx, text)
  if (!isObject(value)) throw new BuiltinError(`${what} is not a JSON object`)
  return value
}

/** The sections of a token. @throws BuiltinError unless there are three */
export function splitToken(
  ctx: BuiltinContext,
  text: string,
): Omit<Token, 'header'> & { readonly head: string } {
  ctx.meter.charge(16 + text.length / 4)
  ctx.meter.allocate(text.length * 4)
  const parts = text.split('.')
  if (parts.length === 1) throw new BuiltinError('encoded JWT had no period separators')
  if (parts.length !== 3) {
    throw new BuiltinError(`encoded JWT must have 3 sections, found ${parts.length}`)
  }
  const [head = '', payload = '', signature = ''] = parts
  return { head, signed: `${head}.${payload}`, payload, signature }
}

/** @throws BuiltinError unless the header is that of a signed token */
export function withHeader(ctx: BuiltinContext, parts: ReturnType<typeof splitToken>): Token {
  const { head, ...rest } = parts
  const header = objectIn(ctx, textOf(section(head, 'JWT header')), 'JWT header')
  if (header.has('enc')) throw new BuiltinError('JWT is a JWE object, which is not supported')
  return { header, ...rest }
}

/** @throws BuiltinError unless it is a signed token of three sections */
export const parseToken = (ctx: BuiltinContext, text: string): Token =>
  withHeader(ctx, splitToken(ctx, text))

export const payloadText = (token: Token): string => textOf(section(token.payload, 'JWT payload'))

export const payloadOf = (ctx: BuiltinContext, text: string): ObjectValue =>
  objectIn(ctx, text, 'JWT payload')

/** The nested token if the payload is one, without its quotes. */
export function nestedIn(token: Token, payload: string): string | undefined {
  const type = token.header.get('cty')
  if (typeof type !== 'string' || type.toUpperCase() !== 'JWT') return undefined
  return payload.replace(/^"(.*)"$/s, '$1')
}
