/** A JSON Schema, as far as forms read it. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly writeOnly?: boolean
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly $ref?: string
}

/** `#/components/schemas/...` of a document. */
export type Components = { readonly schemas?: Readonly<Record<string, Schema>> }

const prefix = '#/components/schemas/'

/** Follows references; a schema that refers to itself, or to nothing, allows everything. */
export function resolved(schema: Schema, components: Components): Schema {
  let at = schema
  for (let steps = 0; at.$ref !== undefined; steps += 1) {
    const next = at.$ref.startsWith(prefix)
      ? components.schemas?.[at.$ref.slice(prefix.length)]
      : undefined
    if (next === undefined || steps > 20) return {}
    at = next
  }
  return at
}

/** What a form shows for a schema. */
export type Shape =
  | { readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'null' }
  | { readonly kind: 'choice'; readonly values: readonly unknown[] }
  | { readonly kind: 'list'; readonly items: Schema }
  | { readonly kind: 'members'; readonly members: readonly Member[] }
  | { readonly kind: 'union'; readonly branches: readonly Schema[] }
  /** Anything: edited as JSON. */
  | { readonly kind: 'json' }

export type Member = { readonly name: string; readonly required: boolean; readonly schema: Schema }

/** The form of a schema whose references are followed. */
export function shapeOf(given: Schema, components: Components): Shape {
  const schema = resolved(given, components)
  if ('const' in schema) return { kind: 'choice', values: [schema.const] }
  if (schema.enum !== undefined) return { kind: 'choice', values: schema.enum }
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return unionOf(branches, components)
  if (Array.isArray(schema.type))
    return unionOf(
      schema.type.map((type) => ({ ...schema, type })),
      components,
    )
  switch (schema.type) {
    case 'string':
      return { kind: 'text' }
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { kind: schema.type }
    case 'array':
      return { kind: 'list', items: schema.items ?? {} }
    case 'object':
      return schema.properties === undefined
        ? { kind: 'json' }
        : { kind: 'members', members: membersOf(schema) }
    default:
      return { kind: 'json' }
  }
}

const membersOf = ({ properties = {}, required = [] }: Schema): readonly Member[] =>
  Object.entries(properties).map(([name, schema]) => ({
    ...{ name, schema },
    required: required.includes(name),
  }))

function unionOf(branches: readonly Schema[], components: Components): Shape {
  const shapes = branches.map((branch) => shapeOf(branch, components))
  const values = shapes.flatMap((shape) =>
    shape.kind === 'choice' ? shape.values : shape.kind === 'null' ? [null] : [],
  )
  if (shapes.every(({ kind }) => kind === 'choice' || kind === 'null'))
    return { kind: 'choice', values }
  return branches.length === 1 ? shapes[0]! : { kind: 'union', branches }
}

/** The name of a branch of a union, for its choice. */
export function branchName(given: Schema, components: Components, index: number): string {
  const schema = resolved(given, components)
  const named = given.$ref?.slice(prefix.length)
  return named ?? (typeof schema.type === 'string' ? schema.type : `form ${index + 1}`)
}

/**
 * What a form starts with: objects that are required are there and empty, so that their fields are shown,
 * as are lists; everything else is absent until it is typed.
 */
export function skeletonOf(schema: Schema, components: Components, depth = 0): unknown {
  const shape = shapeOf(schema, components)
  if (shape.kind === 'list') return []
  if (shape.kind !== 'members' || depth > 8) return undefined
  return skeletonOfMembers(shape.members, components, depth + 1)
}

/** The same for the parameters of a method. */
export const skeletonOfMembers = (
  members: readonly Member[],
  components: Components,
  depth = 0,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    members.flatMap(({ name, required, schema }) => {
      const value = required ? skeletonOf(schema, components, depth) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The value of an element or a form that somebody adds: there, even where it is not valid yet. */
export function emptyOf(schema: Schema, components: Components): unknown {
  const shape = shapeOf(schema, components)
  switch (shape.kind) {
    case 'choice':
      return shape.values[0]
    case 'union':
      return emptyOf(shape.branches[0]!, components)
    case 'boolean':
      return false
    case 'number':
    case 'integer':
      return 0
    case 'null':
      return null
    case 'json':
      return {}
    case 'text':
      return ''
    default:
      return skeletonOf(schema, components)
  }
}
