import { BuiltinError } from '../../errors.ts'
import { compare, equal } from '../../values/compare.ts'
import {
  isArray,
  isComposite,
  isNumber,
  isObject,
  type ObjectValue,
  type Value,
} from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { codePoints } from '../text.ts'
import type { Command, Node, Operand, Pipeline } from './parse.ts'

/** A template value; undefined for a missing key. */
type Maybe = Value | undefined

type Scope = { readonly dot: Maybe; readonly variables: ReadonlyMap<string, Maybe> }

const problem = (what: string): BuiltinError => new BuiltinError(`template: ${what}`)

function isTrue(value: Maybe): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '')
    return false
  if (!isComposite(value)) return true
  return (isArray(value) ? value.length : value.size) > 0
}

/** Go's format for values: `[a b]`, `map[k:v]`. */
function show(value: Maybe): string {
  if (value === undefined || value === null) return '<undefined>'
  if (!isComposite(value)) return String(value)
  if (isObject(value)) {
    return `map[${value
      .entries()
      .map(([key, item]) => `${show(key)}:${show(item)}`)
      .join(' ')}]`
  }
  return `[${(isArray(value) ? value : value.values()).map(show).join(' ')}]`
}

const COMPARE: Readonly<Record<string, (order: number) => boolean>> = {
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
}

function need(name: string, values: readonly Maybe[], least: number): readonly Value[] {
  if (values.length < least) throw problem(`wrong number of args for ${name}`)
  return values.map((value) => value ?? null)
}

function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePoints(value)
  if (!isComposite(value)) throw problem('len of a value that has none')
  return isArray(value) ? value.length : value.size
}

function at(value: Maybe, key: Value): Maybe {
  if (value === undefined) return undefined
  if (isObject(value)) return value.get(key)
  return isArray(value) && isNumber(key) ? value[Number(key)] : undefined
}

/** As Go: with a space where neither is a string, which numbers of documents are there. */
function printed(values: readonly Maybe[], operands: readonly Operand[]): string {
  const isText = (at: number): boolean =>
    typeof values[at] === 'string' ||
    (isNumber(values[at] ?? null) && operands[at]?.kind === 'path')
  return values.reduce<string>(
    (text, value, at) =>
      `${text}${at > 0 && !isText(at - 1) && !isText(at) ? ' ' : ''}${show(value)}`,
    '',
  )
}

function call(name: string, values: readonly Maybe[]): Maybe {
  const order = COMPARE[name]
  if (order !== undefined) {
    const [a, b] = need(name, values, 2)
    return order(compare(a as Value, b as Value))
  }
  switch (name) {
    case 'eq': {
      const [first, ...rest] = need(name, values, 2)
      return rest.some((value) => equal(first as Value, value))
    }
    case 'ne': {
      const [a, b] = need(name, values, 2)
      return !equal(a as Value, b as Value)
    }
    case 'not':
      return !isTrue(values[0])
    case 'and':
      return values.find((value) => !isTrue(value)) ?? values.at(-1)
    case 'or':
      return values.find(isTrue) ?? values.at(-1)
    case 'len':
      return sizeOf(need(name, values, 1)[0] as Value)
    case 'index':
      return values.slice(1).reduce((value, key) => at(value, key ?? null), values[0])
    case 'println':
      return `${values.map(show).join(' ')}\n`
    default:
      throw problem(`function ${JSON.stringify(name)} not defined`)
  }
}

/** Renders a template with the variables of an object; missing keys are printed as such. */
export const renderTemplate = (
  ctx: BuiltinContext,
  nodes: readonly Node[],
  vars: ObjectValue,
): string => new Renderer(ctx).all(nodes, { dot: vars, variables: new Map([['$', vars]]) })

class Renderer {
  private readonly ctx: BuiltinContext

  constructor(ctx: BuiltinContext) {
    this.ctx = ctx
  }

  all(nodes: readonly Node[], start: Scope): string {
    let scope = start
    let text = ''
    for (const node of nodes) {
      this.ctx.meter.charge(4)
      if (node.kind === 'print' && node.pipeline.variables.length > 0) {
        scope = this.declare(node.pipeline, scope, [this.value(node.pipeline, scope)])
        continue
      }
      const part = this.one(node, scope)
      this.ctx.meter.allocate(2 * part.length)
      text += part
    }
    return text
  }

  private one(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text
    const value = this.value(node.pipeline, scope)
    if (node.kind === 'print') return show(value)
    if (node.kind === 'range') return this.range(node, value, scope)
    if (!isTrue(value)) return this.all(node.otherwise, scope)
    const inner = this.declare(node.pipeline, scope, [value])
    return this.all(node.body, node.kind === 'with' ? { ...inner, dot: value } : inner)
  }

  private range(
    node: Extract<Node, { kind: 'if' | 'range' | 'with' }>,
    value: Maybe,
    scope: Scope,
  ): string {
    const entries = entriesOf(value)
    if (entries.length === 0) return this.all(node.otherwise, scope)
    return entries
      .map(([key, item]) => {
        const values = node.pipeline.variables.length === 2 ? [key, item] : [item]
        return this.all(node.body, { ...this.declare(node.pipeline, scope, values), dot: item })
      })
      .join('')
  }

  private declare(pipeline: Pipeline, scope: Scope, values: readonly Maybe[]): Scope {
    if (pipeline.variables.length === 0) return scope
    const variables = new Map(scope.variables)
    pipeline.variables.forEach((name, i) => {
      variables.set(name, values[i])
    })
    return { ...scope, variables }
  }

  private value({ commands }: Pipeline, scope: Scope): Maybe {
    let result: Maybe
    commands.forEach((command, i) => {
      result = this.command(command, scope, i === 0 ? [] : [result])
    })
    return result
  }

  private command({ name, operands }: Command, scope: Scope, piped: readonly Maybe[]): Maybe {
    this.ctx.meter.charge(1 + operands.length)
    const values = [...operands.map((operand) => this.operand(operand, scope)), ...piped]
    if (name === 'print') return printed(values, operands)
    return name === undefined ? values[0] : call(name, values)
  }

  private operand(operand: Operand, scope: Scope): Maybe {
    if (operand.kind === 'constant') return operand.value
    if (operand.kind === 'pipeline') return this.value(operand.pipeline, scope)
    const { variable, fields } = operand
    if (variable !== undefined && !scope.variables.has(variable)) {
      throw problem(`undefined variable ${JSON.stringify(variable)}`)
    }
    const root = variable === undefined ? scope.dot : scope.variables.get(variable)
    return fields.reduce<Maybe>((value, field) => at(value, field), root)
  }
}

function entriesOf(value: Maybe): readonly (readonly [Value, Value])[] {
  if (value === undefined || !isComposite(value)) return []
  if (isObject(value)) return value.entries()
  return (isArray(value) ? value : value.values()).map((item, i): [Value, Value] => [i, item])
}
