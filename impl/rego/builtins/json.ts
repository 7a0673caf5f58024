import { BuiltinError, LimitError } from '../errors.ts'
import { jsonEntries, quote, stringify } from '../values/json.ts'
import { JsonError, parseJson } from '../values/parseJson.ts'
import { isArray, isComposite, MAX_DEPTH, typeName, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { goJsonError } from './goJson.ts'
import { asObject, asString, operandError } from './operands.ts'
import { ANY, BOOLEAN, objectOf, STRING } from './types.ts'

/**
 * Charges for all parts of a value, so that its text stays within the memory limit. Shared parts
 * count every time they are written.
 */
export function chargeText(ctx: BuiltinContext, value: Value, depth = 0): void {
  ctx.meter.charge(1)
  if (typeof value === 'string') {
    ctx.meter.charge(value.length / 16)
    ctx.meter.allocate(2 * value.length + 8)
    return
  }
  ctx.meter.allocate(16)
  if (!isComposite(value)) return
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  if (isArray(value) || value.kind === 'set') {
    for (const item of isArray(value) ? value : value.values()) chargeText(ctx, item, depth + 1)
    return
  }
  value.forEach((key, item) => {
    chargeText(ctx, key, depth + 1)
    chargeText(ctx, item, depth + 1)
  })
}

function marshal(ctx: BuiltinContext, a: Value): Value {
  chargeText(ctx, a)
  return stringify(a, { html: true })
}

/** Go's MarshalIndent: empty collections stay on one line. */
function indented(ctx: BuiltinContext, value: Value, line: string, indent: string): string {
  ctx.meter.charge(1)
  ctx.meter.allocate(2 * line.length)
  if (!isComposite(value)) return stringify(value, { html: true })
  const inner = line + indent
  const isList = isArray(value) || value.kind === 'set'
  const parts = isList
    ? (isArray(value) ? value : value.values()).map((item) => indented(ctx, item, inner, indent))
    : jsonEntries(value).map(
        ([key, item]) => `${quote(key, true)}: ${indented(ctx, item, inner, indent)}`,
      )
  const [open, close] = isList ? '[]' : '{}'
  return parts.length === 0
    ? `${open}${close}`
    : `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`
}

function marshalWithOptions(ctx: BuiltinContext, a: Value, b: Value): Value {
  let pretty: boolean | undefined
  let prefix = ''
  let indent = '\t'
  let layout = false
  for (const [position, [key, value]] of asObject(b, 2).entries().entries()) {
    if (key === 'pretty') {
      if (typeof value !== 'boolean') throw operandError(2, 'key "pretty" failed cast to bool')
      pretty = value
    } else if (key === 'prefix' || key === 'indent') {
      if (typeof value !== 'string') {
        // OPA counts the keys instead of the operands here.
        const got = `operand ${position} must be string but got ${typeName(value)}`
        throw operandError(2, `key "${key}" failed cast to string: ${got}`)
      }
      if (key === 'prefix') prefix = value
      else indent = value
      layout = true
    } else throw operandError(2, `object contained unknown key ${stringify(key)}`)
  }
  chargeText(ctx, a)
  if (!(pretty ?? layout)) return stringify(a, { html: true })
  return prefix + indented(ctx, a, `\n${prefix}`, indent)
}

/**
 * Parses JSON text of a policy's data, charged by length; with `written` as `parseJson`.
 *
 * @throws BuiltinError
 */
export function readJson(ctx: BuiltinContext, text: string, options?: { written: true }): Value {
  ctx.meter.charge(text.length / 4)
  ctx.meter.allocate(text.length * 8)
  try {
    return parseJson(text, options)
  } catch (error) {
    if (error instanceof JsonError) {
      throw new BuiltinError(goJsonError(text) ?? error.message, undefined, { cause: error })
    }
    throw error
  }
}

function isValid(ctx: BuiltinContext, a: Value): Value {
  if (typeof a !== 'string') return false
  try {
    readJson(ctx, a)
    return true
  } catch (error) {
    if (error instanceof BuiltinError) return false
    throw error
  }
}

const OPTIONS = objectOf(STRING, ANY, { indent: STRING, prefix: STRING, pretty: BOOLEAN })

export const jsonBuiltins: readonly Builtin[] = [
  { name: 'json.marshal', args: [ANY], result: STRING, call: marshal },
  {
    name: 'json.marshal_with_options',
    args: [ANY, OPTIONS],
    result: STRING,
    call: marshalWithOptions,
  },
  {
    name: 'json.unmarshal',
    args: [STRING],
    result: ANY,
    call: (ctx, a: Value) => readJson(ctx, asString(a, 1), { written: true }),
  },
  { name: 'json.is_valid', args: [STRING], result: BOOLEAN, call: isValid },
]
