import { type MemberText, memberTexts } from './memberTexts.ts'

type SchemaMember = {
  readonly type?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly enum?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly exclusiveMinimum?: unknown
  readonly exclusiveMaximum?: unknown
  readonly minLength?: unknown
  readonly maxLength?: unknown
}

/** A field of the form of parameters. What has no control of its own is edited as JSON. */
export type FormField = {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'json'
  readonly required: boolean
  /** JSON texts, of `choice`. */
  readonly choices: readonly string[]
  readonly schema: SchemaMember
}

const mostFields = 200

/**
 * The fields of a JSON Schema of an object; and of parameters that it does not declare. Undefined if
 * the schema describes no members: then the parameters are edited as JSON.
 */
export function formFields(
  schemaText: string | null,
  members: readonly MemberText[],
): readonly FormField[] | undefined {
  if (schemaText === null) return undefined
  let schema: { readonly properties?: unknown; readonly required?: unknown } | null
  try {
    schema = JSON.parse(schemaText)
  } catch {
    return undefined
  }
  const properties = schema?.properties
  if (typeof properties !== 'object' || properties === null) return undefined
  const required = Array.isArray(schema?.required) ? schema.required : []
  const declared = Object.entries(properties as Record<string, SchemaMember | boolean>)
  const undeclared = members
    .filter(([name]) => !Object.hasOwn(properties, name))
    .map(([name]) => [name, {}] as const)
  return [...declared, ...undeclared].slice(0, mostFields).map(([name, given]) => {
    const member: SchemaMember = typeof given === 'object' && given !== null ? given : {}
    const choices = Array.isArray(member.enum)
      ? member.enum.map((each) => JSON.stringify(each))
      : []
    return {
      name,
      label: typeof member.title === 'string' ? `${member.title} (${name})` : name,
      help: helpOf(member),
      kind: kindOf(member),
      required: required.includes(name),
      ...{ choices, schema: member },
    }
  })
}

function kindOf({ type, enum: choices }: SchemaMember): FormField['kind'] {
  if (Array.isArray(choices)) return 'choice'
  if (type === 'string') return 'text'
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'json'
}

function helpOf(member: SchemaMember): string {
  const { description, minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = member
  const bounds = [
    typeof minimum === 'number' ? `at least ${minimum}` : undefined,
    typeof above === 'number' ? `more than ${above}` : undefined,
    typeof maximum === 'number' ? `at most ${maximum}` : undefined,
    typeof below === 'number' ? `less than ${below}` : undefined,
  ].filter((each) => each !== undefined)
  return [typeof description === 'string' ? description : undefined, bounds.join(', ')]
    .filter((each) => each !== undefined && each !== '')
    .join('; ')
}

/** What a field shows for the JSON text of a value. */
export function shownValue({ kind }: FormField, text: string | undefined): string {
  if (text === undefined) return ''
  if (kind !== 'text') return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

/** The JSON text of what was typed; undefined removes the member. */
export function typedValue({ kind, required }: FormField, typed: string): string | undefined {
  if (typed === '' && !(required && kind === 'text')) return undefined
  return kind === 'text' ? JSON.stringify(typed) : typed.trim()
}

/**
 * Why a value does not fit its field; undefined if it does, as far as the field knows. The service
 * checks the whole schema; patterns are left to it, because they may not terminate.
 */
export function fieldProblem(field: FormField, text: string | undefined): string | undefined {
  const { kind, required, schema } = field
  if (text === undefined) return required ? 'is required' : undefined
  if (kind === 'text') {
    const value = shownValue(field, text)
    const { minLength, maxLength } = schema
    if (typeof minLength === 'number' && [...value].length < minLength)
      return `has at least ${minLength} characters`
    if (typeof maxLength === 'number' && [...value].length > maxLength)
      return `has at most ${maxLength} characters`
    return undefined
  }
  if (kind === 'integer' || kind === 'number') return numberProblem(field, text)
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return 'is not JSON'
  }
}

function numberProblem({ kind, schema }: FormField, text: string): string | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return 'is not a number'
  if (kind === 'integer' && /[.eE]/.test(text) && !Number.isInteger(Number(text)))
    return 'is not a whole number'
  const value = Number(text)
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  if (typeof minimum === 'number' && value < minimum) return `is at least ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `is at most ${maximum}`
  if (typeof above === 'number' && value <= above) return `is more than ${above}`
  return typeof below === 'number' && value >= below ? `is less than ${below}` : undefined
}

/**
 * Why a text cannot be sent; undefined for an object whose members fit their fields.
 *
 * @param fields undefined: only the service knows
 */
export function paramsFault(
  json: string,
  fields: readonly FormField[] | undefined,
): string | undefined {
  const members = memberTexts(json)
  if (members === undefined) return 'This is not a JSON object.'
  const texts = new Map(members)
  for (const field of fields ?? []) {
    const problem = fieldProblem(field, texts.get(field.name))
    if (problem !== undefined) return `${field.name} ${problem}.`
  }
  return undefined
}
