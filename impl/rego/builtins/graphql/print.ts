import { Kind, print as printNode } from 'graphql'
import { BuiltinError } from '../../errors.ts'
import { isArray, isObject, MAX_DEPTH, type Value } from '../../values/value.ts'

/**
 * Text of documents given as objects, in the form of `toValue.ts`. Names are validated, so that the
 * text is equivalent to the object.
 */

const malformed = (): BuiltinError => new BuiltinError('malformed GraphQL document')

const member = (value: Value, key: string): Value | undefined =>
  isObject(value) ? value.get(key) : undefined

function list(value: Value, key: string): readonly Value[] {
  const items = member(value, key)
  return items !== undefined && isArray(items) ? items : []
}

function text(value: Value, key: string): string {
  const found = member(value, key)
  return typeof found === 'string' ? found : ''
}

function name(value: Value, key = 'Name'): string {
  const found = text(value, key)
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(found)) throw malformed()
  return found
}

const names = (items: readonly Value[]): string[] =>
  items.map((item) => {
    if (typeof item !== 'string' || !/^[_A-Za-z][_0-9A-Za-z]*$/.test(item)) throw malformed()
    return item
  })

function description(value: Value): string {
  const found = text(value, 'Description')
  return found === '' ? '' : `${JSON.stringify(found)} `
}

function type(value: Value | undefined, depth = 0): string {
  if (value === undefined || depth > MAX_DEPTH) throw malformed()
  const elem = member(value, 'Elem')
  const inner = elem === undefined ? name(value, 'NamedType') : `[${type(elem, depth + 1)}]`
  return member(value, 'NonNull') === true ? `${inner}!` : inner
}

function constant(value: Value | undefined, depth = 0): string {
  if (value === undefined || depth > MAX_DEPTH) throw malformed()
  const raw = text(value, 'Raw')
  const children = list(value, 'Children')
  switch (member(value, 'Kind')) {
    case 0:
      return `$${name(value, 'Raw')}`
    case 1:
    case 2:
      if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(raw)) throw malformed()
      return raw
    case 3:
      return JSON.stringify(raw)
    case 4:
      return printNode({ kind: Kind.STRING, value: raw, block: true })
    case 8:
      return `[${children.map((child) => constant(member(child, 'Value'), depth + 1)).join(', ')}]`
    case 9:
      return `{${children.map((child) => `${name(child)}: ${constant(member(child, 'Value'), depth + 1)}`).join(', ')}}`
    default:
      return name(value, 'Raw')
  }
}

const inBrackets = (open: string, parts: readonly string[], close: string): string =>
  parts.length === 0 ? '' : `${open}${parts.join(' ')}${close}`

const args = (value: Value): string =>
  inBrackets(
    '(',
    list(value, 'Arguments').map((arg) => `${name(arg)}: ${constant(member(arg, 'Value'))}`),
    ')',
  )

const directives = (value: Value): string =>
  list(value, 'Directives')
    .map((one) => ` @${name(one)}${args(one)}`)
    .join('')

function byDefault(value: Value): string {
  const given = member(value, 'DefaultValue')
  return given === undefined ? '' : ` = ${constant(given)}`
}

function selections(value: Value, depth: number): string {
  if (depth > MAX_DEPTH) throw malformed()
  const parts = list(value, 'SelectionSet').map((one) => {
    const rest = `${directives(one)}${selections(one, depth + 1)}`
    if (member(one, 'Alias') !== undefined)
      return `${name(one, 'Alias')}: ${name(one)}${args(one)}${rest}`
    if (member(one, 'TypeCondition') === undefined) return `...${name(one)}${directives(one)}`
    const on = text(one, 'TypeCondition') === '' ? '' : ` on ${name(one, 'TypeCondition')}`
    return `...${on}${rest}`
  })
  return inBrackets(' {', parts, '}')
}

const variables = (value: Value, key: string): string =>
  inBrackets(
    '(',
    list(value, key).map(
      (one) =>
        `$${name(one, 'Variable')}: ${type(member(one, 'Type'))}${byDefault(one)}${directives(one)}`,
    ),
    ')',
  )

const OPERATIONS = ['query', 'mutation', 'subscription']

function operation(value: Value): string {
  const kind = text(value, 'Operation')
  if (!OPERATIONS.includes(kind)) throw malformed()
  const called = text(value, 'Name') === '' ? '' : ` ${name(value)}`
  return `${kind}${called}${variables(value, 'VariableDefinitions')}${directives(value)}${selections(value, 0)}`
}

export const printQuery = (value: Value): string =>
  [
    ...list(value, 'Operations').map(operation),
    ...list(value, 'Fragments').map(
      (one) =>
        `fragment ${name(one)}${variables(one, 'VariableDefinition')} on ${name(one, 'TypeCondition')}${directives(one)}${selections(one, 0)}`,
    ),
  ].join('\n')

const inputs = (items: readonly Value[]): string[] =>
  items.map(
    (one) =>
      `${description(one)}${name(one)}: ${type(member(one, 'Type'))}${byDefault(one)}${directives(one)}`,
  )

const fields = (value: Value): string[] =>
  list(value, 'Fields').map(
    (one) =>
      `${description(one)}${name(one)}${inBrackets('(', inputs(list(one, 'Arguments')), ')')}: ${type(member(one, 'Type'))}${directives(one)}`,
  )

function definition(value: Value): string {
  const interfaces = names(list(value, 'Interfaces'))
  const implementing = interfaces.length === 0 ? '' : ` implements ${interfaces.join(' & ')}`
  const head = `${name(value)}${implementing}${directives(value)}`
  switch (text(value, 'Kind')) {
    case 'SCALAR':
      return `scalar ${head}`
    case 'OBJECT':
      return `type ${head}${inBrackets(' {', fields(value), '}')}`
    case 'INTERFACE':
      return `interface ${head}${inBrackets(' {', fields(value), '}')}`
    case 'UNION': {
      const types = names(list(value, 'Types'))
      return `union ${head}${types.length === 0 ? '' : ` = ${types.join(' | ')}`}`
    }
    case 'ENUM': {
      const values = list(value, 'EnumValues')
      const parts = values.map((one) => `${description(one)}${name(one)}${directives(one)}`)
      return `enum ${head}${inBrackets(' {', parts, '}')}`
    }
    case 'INPUT_OBJECT':
      return `input ${head}${inBrackets(' {', inputs(list(value, 'Fields')), '}')}`
    default:
      throw malformed()
  }
}

function schema(value: Value): string {
  const operations = list(value, 'OperationTypes')
  const parts = operations.map((one) => `${name(one, 'Operation')}: ${name(one, 'Type')}`)
  return `schema${directives(value)}${inBrackets(' {', parts, '}')}`
}

export const printSchema = (value: Value): string =>
  [
    ...list(value, 'Schema').map((one) => `${description(one)}${schema(one)}`),
    ...list(value, 'SchemaExtension').map((one) => `extend ${schema(one)}`),
    ...list(value, 'Directives').map((one) => {
      const repeatable = member(one, 'IsRepeatable') === true ? ' repeatable' : ''
      const at = names(list(one, 'Locations')).join(' | ')
      return `${description(one)}directive @${name(one)}${inBrackets('(', inputs(list(one, 'Arguments')), ')')}${repeatable} on ${at}`
    }),
    ...list(value, 'Definitions').map((one) => `${description(one)}${definition(one)}`),
    ...list(value, 'Extensions').map((one) => `extend ${definition(one)}`),
  ].join('\n')
