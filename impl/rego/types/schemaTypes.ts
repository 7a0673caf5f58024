import { ANY, BOOLEAN, NUMBER, STRING, type Type } from '../builtins/types.ts'
import { join } from './lattice.ts'

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The type that OPA gives a document with a JSON schema: `any` where the schema says nothing that a type can. */
export const typeOfSchema = (schema: unknown): Type => new SchemaReader(schema).type(schema, [])

class SchemaReader {
  private readonly root: unknown

  constructor(root: unknown) {
    this.root = root
  }

  /** @param open the references that lead here: a type that contains itself is `any` there */
  type(schema: unknown, open: readonly string[]): Type {
    if (!isSchema(schema)) return ANY
    if (typeof schema.$ref === 'string') {
      if (open.includes(schema.$ref)) return ANY
      return this.type(this.target(schema.$ref), [...open, schema.$ref])
    }
    if (Array.isArray(schema.anyOf)) {
      const { anyOf, ...core } = schema
      const own = schema.type === undefined ? [] : [this.type(core, open)]
      return join([
        ...own.filter((type) => type.kind === 'object' && type.dynamic === undefined),
        ...anyOf.map((each) => this.type(each, open)),
      ])
    }
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...core } = schema
      return this.type(merged([core, ...allOf.map((each) => this.resolved(each))]), open)
    }
    return this.plain(schema, open)
  }

  private plain(schema: Schema, open: readonly string[]): Type {
    const { type, properties, items } = schema
    const kinds: readonly unknown[] = Array.isArray(type) ? type : [type]
    if (kinds.includes('boolean')) return BOOLEAN
    if (kinds.includes('string')) return STRING
    if (kinds.includes('integer') || kinds.includes('number')) return NUMBER
    if (kinds.includes('object') || (type === undefined && isSchema(properties))) {
      const named = Object.entries(isSchema(properties) ? properties : {})
      if (named.length === 0)
        return { kind: 'object', static: [], dynamic: { key: ANY, value: ANY } }
      const fixed = named.map(([key, value]) => ({ key, value: this.type(value, open) }))
      return { kind: 'object', static: fixed }
    }
    if (kinds.includes('array') || (type === undefined && items !== undefined)) {
      if (!Array.isArray(items))
        return { kind: 'array', static: [], dynamic: this.type(items, open) }
      return { kind: 'array', static: items.map((each) => this.type(each, open)) }
    }
    return ANY
  }

  private resolved(schema: unknown): unknown {
    return isSchema(schema) && typeof schema.$ref === 'string' ? this.target(schema.$ref) : schema
  }

  /** What `#/definitions/x` refers to; other documents are not read. */
  private target(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined
    const names = decodeURIComponent(reference.slice(1)).split('/').slice(1)
    return names.reduce<unknown>(
      (at, name) =>
        isSchema(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined,
      this.root,
    )
  }
}

/** One schema with the properties and the type of all. */
function merged(schemas: readonly unknown[]): Schema {
  const all = schemas.filter(isSchema)
  const properties = all.map((each) => each.properties).filter(isSchema)
  return {
    ...Object.assign({}, ...all),
    ...(properties.length === 0 ? {} : { properties: Object.assign({}, ...properties) }),
  }
}
