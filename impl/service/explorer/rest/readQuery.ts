import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { parseInstant } from './instant.ts'

/** One problem of a query (decision X2). */
export type QueryIssue = {
  readonly type:
    | 'missing'
    | 'int_parsing'
    | 'greater_than_equal'
    | 'less_than_equal'
    | 'datetime_parsing'
  readonly loc: readonly [place: 'query', name: string]
  readonly msg: string
  /** The received value, truncated if it is very long; null when it is missing. */
  readonly input: string | null
}

type Fault = Pick<QueryIssue, 'type' | 'msg'>
type Reading = { readonly value: unknown } | { readonly fault: Fault }

/** Longer inputs are truncated. */
const maxInput = 1_024

const fault = (type: QueryIssue['type'], msg: string): Reading => ({ fault: { type, msg } })

function readInteger(schema: TSchema, text: string): Reading {
  if (!/^-?\d+$/.test(text))
    return fault(
      'int_parsing',
      'Input should be a valid integer, unable to parse string as an integer',
    )
  const value = Number(text)
  const { minimum, maximum } = schema as TSchema & { minimum: number; maximum: number }
  if (value < minimum)
    return fault('greater_than_equal', `Input should be greater than or equal to ${minimum}`)
  if (value > maximum)
    return fault('less_than_equal', `Input should be less than or equal to ${maximum}`)
  return { value: value + 0 }
}

function readMoment(text: string): Reading {
  const instant = parseInstant(text)
  if (typeof instant === 'string')
    return fault('datetime_parsing', `Input should be a valid datetime, ${instant}`)
  return { value: instant }
}

const read = (schema: TSchema, text: string): Reading =>
  schema.type === 'integer' ? readInteger(schema, text) : readMoment(text)

/**
 * Reads a query by its schema. Unknown parameters are ignored; of a repeated one the last value is
 * used, so that a parameter can be appended to a URL.
 *
 * @returns the values with their defaults, or all problems
 */
export function readQuery<T extends TObject>(
  schema: T,
  sent: URLSearchParams,
): { readonly values: Static<T> } | { readonly issues: readonly QueryIssue[] } {
  const values: Record<string, unknown> = {}
  const issues: QueryIssue[] = []
  const blame = (name: string, input: string | null, { type, msg }: Fault) =>
    issues.push({ type, loc: ['query', name], msg, input: input?.slice(0, maxInput) ?? null })
  const required: readonly string[] = schema.required ?? []
  for (const [name, member] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const text = sent.getAll(name).at(-1)
    if (text !== undefined) {
      const reading = read(member, text)
      if ('fault' in reading) blame(name, text, reading.fault)
      else values[name] = reading.value
    } else if (member.default !== undefined) values[name] = member.default
    else if (required.includes(name)) blame(name, null, { type: 'missing', msg: 'Field required' })
  }
  return issues.length > 0 ? { issues } : { values: values as Static<T> }
}
