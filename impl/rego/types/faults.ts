import type { Type } from '../builtins/types.ts'
import { RegoError } from '../errors.ts'
import type { Span } from '../syntax/source.ts'
import { typeList, typeText } from './typeText.ts'

/**
 * Messages of the checker in the wording of OPA: a first line, then the actual and the required
 * type.
 */
const fault = (span: Span, message: string, ...details: readonly string[]): RegoError =>
  new RegoError('rego_type_error', [message, ...details].join('\n\t'), { location: span.location })

type Types = readonly (Type | undefined)[]

export const undefinedFunction = (span: Span, name: string): RegoError =>
  fault(span, `undefined function ${name}`)

export const wrongArguments = (
  span: Span,
  name: string,
  problem: 'arity mismatch' | 'invalid argument(s)' | 'too few arguments' | 'too many arguments',
  have: Types,
  want: Types,
): RegoError =>
  fault(span, `${name}: ${problem}`, `have: ${typeList(have)}`, `want: ${typeList(want)}`)

export const wrongArity = (span: Span, name: string, arity: number, got: number): RegoError =>
  fault(
    span,
    `function ${name} has arity ${arity}, got ${got} ${got === 1 ? 'argument' : 'arguments'}`,
  )

export function noMatch(span: Span, left: Type | undefined, right: Type | undefined): RegoError {
  const text = (type: Type | undefined): string => (type === undefined ? '???' : typeText(type))
  return fault(span, 'match error', `left  : ${text(left)}`, `right : ${text(right)}`)
}

/** An invalid reference: `have` is the type without that part. */
export const undefinedRef = (
  span: Span,
  text: string,
  details: {
    readonly have?: Type | undefined
    readonly want?: Type | undefined
    readonly oneOf?: readonly string[]
  },
): RegoError =>
  fault(
    span,
    `undefined ref: ${text}`,
    ...(details.have === undefined ? [] : [`have: ${typeText(details.have)}`]),
    ...(details.oneOf !== undefined && details.oneOf.length > 0
      ? [`want (one of): [${details.oneOf.join(' ')}]`]
      : details.want === undefined
        ? []
        : [`want: ${typeText(details.want)}`]),
  )
