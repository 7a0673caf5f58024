import { ANY, type Type } from '../builtins/types.ts'
import type { Metadata } from '../compile/metadata.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import { RegoError } from '../errors.ts'
import { toJson } from '../values/json.ts'
import { isArray, isObject, type Value } from '../values/value.ts'
import { select } from './lattice.ts'
import { typeOfSchema } from './schemaTypes.ts'

/** The types of documents that a rule reads. */
export type RuleSchemas = { readonly input: Type; readonly data: Type }

export type SchemaSet = {
  /** Of the input of every rule. */
  readonly input?: unknown
  /** By the path that annotations name: `schema.a.b` is `a/b`. */
  readonly named: ReadonlyMap<string, unknown>
}

/** The types that JSON schemas give to documents, by the annotations of rules and packages, as in OPA. */
export class Schemas {
  private readonly set: SchemaSet | undefined
  private readonly metadata: Metadata
  private readonly input: Type
  private readonly known = new Map<string, Type>()

  /** @param set without it, only schemas that annotations contain count */
  constructor(set: SchemaSet | undefined, metadata: Metadata) {
    this.set = set
    this.metadata = metadata
    this.input = set?.input === undefined ? ANY : typeOfSchema(set.input)
  }

  /** @throws RegoError for a schema that is not known */
  of(rule: ResolvedRule): RuleSchemas {
    let { input } = this
    let data = ANY
    if (rule.module.annotations.length === 0 && this.set === undefined) return { input, data }
    for (const [path, type] of this.annotated(rule)) {
      const [root, ...rest] = path
      if (root === 'input') input = overridden(input, rest, type)
      if (root === 'data') data = overridden(data, rest, type)
    }
    return { input, data }
  }

  /** Those of enclosing packages first: a nearer one replaces it. */
  private annotated(rule: ResolvedRule): readonly (readonly [readonly Value[], Type])[] {
    return [...this.metadata.chain(rule)].reverse().flatMap((link) => {
      const annotations = isObject(link) ? link.get('annotations') : undefined
      const schemas =
        annotations !== undefined && isObject(annotations) ? annotations.get('schemas') : undefined
      if (schemas === undefined || !isArray(schemas)) return []
      return schemas.flatMap((each) => {
        if (!isObject(each)) return []
        const path = each.get('path')
        const type = this.typeOf(each.get('schema'), each.get('definition'), rule)
        return path !== undefined && isArray(path) && type !== undefined
          ? [[path, type] as const]
          : []
      })
    })
  }

  private typeOf(
    reference: Value | undefined,
    definition: Value | undefined,
    rule: ResolvedRule,
  ): Type | undefined {
    if (definition !== undefined) return typeOfSchema(toJson(definition))
    if (this.set === undefined || reference === undefined || !isArray(reference)) return undefined
    const key = reference.slice(1).join('/')
    const known = this.known.get(key)
    if (known !== undefined) return known
    const schema = key === '' ? this.set.input : this.set.named.get(key)
    if (schema === undefined) {
      const { location } = rule.span
      const name = reference.join('.')
      throw new RegoError('rego_type_error', `undefined schema: ${name}`, { location })
    }
    const type = typeOfSchema(schema)
    this.known.set(key, type)
    return type
  }
}

/** A type whose part at a path is another one. */
function overridden(type: Type, [key, ...rest]: readonly Value[], own: Type): Type {
  if (key === undefined) return own
  const part = { key, value: overridden(select(type, key) ?? ANY, rest, own) }
  if (type.kind !== 'object')
    return { kind: 'object', static: [part], dynamic: { key: ANY, value: ANY } }
  return { ...type, static: [...type.static.filter((each) => each.key !== key), part] }
}
