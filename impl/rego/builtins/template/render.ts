import type { ObjectValue } from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import type { Command, Node, Operand, Pipeline } from './parse.ts'
import {
  entriesOf,
  equalsOne,
  field,
  GoNumber,
  indexed,
  isLess,
  isTrue,
  isVariableNumber,
  lengthOf,
  type Maybe,
  problem,
  show,
} from './values.ts'

type Scope = { readonly dot: Maybe; readonly variables: ReadonlyMap<string, Maybe> }

/** As Go: with a space between two operands if neither is a string. Numbers of the variables are strings. */
function printed(values: readonly Maybe[]): string {
  const isText = (at: number): boolean =>
    typeof values[at] === 'string' || isVariableNumber(values[at])
  return values.reduce<string>(
    (text, value, at) =>
      `${text}${at > 0 && !isText(at - 1) && !isText(at) ? ' ' : ''}${show(value)}`,
    '',
  )
}

type TemplateFunction = {
  /** The least number of operands; no others if it is exact. */
  readonly least: number
  readonly exact?: true
  readonly call: (values: readonly Maybe[]) => Maybe
}

const ordered = (of: (a: Maybe, b: Maybe) => boolean): TemplateFunction => ({
  least: 2,
  exact: true,
  call: ([a, b]) => of(a, b),
})

const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries({
    eq: { least: 1, call: equalsOne },
    ne: ordered((a, b) => !equalsOne([a, b])),
    lt: ordered((a, b) => isLess('lt', a, b)),
    le: ordered((a, b) => isLess('le', a, b) || equalsOne([a, b])),
    gt: ordered((a, b) => !isLess('gt', a, b) && !equalsOne([a, b])),
    ge: ordered((a, b) => !isLess('ge', a, b)),
    not: { least: 1, exact: true, call: ([value]) => !isTrue(value) },
    and: { least: 1, call: (values) => firstOrLast(values, (value) => !isTrue(value)) },
    or: { least: 1, call: (values) => firstOrLast(values, isTrue) },
    len: { least: 1, exact: true, call: ([value]) => lengthOf(value) },
    index: { least: 1, call: ([value, ...keys]) => keys.reduce(indexed, value) },
    print: { least: 0, call: printed },
    println: { least: 0, call: (values) => `${values.map(show).join(' ')}\n` },
  } satisfies Record<string, TemplateFunction>),
)

function call(name: string, values: readonly Maybe[]): Maybe {
  const found = FUNCTIONS.get(name)
  if (found === undefined) throw problem(`function ${JSON.stringify(name)} not defined`)
  const { least, exact } = found
  if (values.length < least || (exact && values.length > least)) {
    const wanted = exact ? least : `at least ${least}`
    throw problem(`wrong number of args for ${name}: want ${wanted} got ${values.length}`)
  }
  return found.call(values)
}

const firstOrLast = (values: readonly Maybe[], isWanted: (value: Maybe) => boolean): Maybe =>
  values.at(values.findIndex(isWanted))

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
    if (node.kind === 'print') return value === null ? '<no value>' : show(value)
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
    if (value instanceof GoNumber) {
      const count = Math.max(0, value.value)
      this.ctx.meter.charge(count)
      this.ctx.meter.allocate(32 * count)
    }
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
    return fields.reduce(field, root)
  }
}
