import { BuiltinError } from '../../errors.ts'
import { isObject, MAX_DEPTH, type ObjectValue, type Value } from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { parseUrl } from '../goUrl.ts'
import {
  BEFORE_REFERENCE,
  type Check,
  type Draft,
  draftOf,
  isKeywordOf,
  KEYWORDS,
} from './keywords.ts'
import { References } from './references.ts'

/** A schema that documents can be validated against. */
export type Schema = {
  readonly root: Value
  readonly draft: Draft
  readonly references: References
}

/**
 * Checks that a value is a schema (draft 4 to 7), as OPA does.
 *
 * @throws BuiltinError with the error
 */
export function checkSchema(ctx: BuiltinContext, root: Value): Schema {
  if (typeof root !== 'boolean') {
    if (!isObject(root)) throw new BuiltinError('schema is invalid')
    const name = root.get('$schema')
    if (name !== undefined && typeof name !== 'string') {
      throw new BuiltinError('$schema must be of type string')
    }
  }
  const schema = { root, draft: draftOf(root), references: new References(root) }
  new SchemaChecker(ctx, schema).check(root, 0)
  return schema
}

class SchemaChecker {
  private readonly ctx: BuiltinContext
  private readonly references: References
  private readonly draft: Draft
  /** References that were followed. */
  private readonly followed = new Set<string>()

  constructor(ctx: BuiltinContext, { draft, references }: Schema) {
    this.ctx = ctx
    this.references = references
    this.draft = draft
  }

  check(schema: Value, depth: number): void {
    this.ctx.meter.charge(4)
    if (typeof schema === 'boolean' && this.draft !== 4) return
    if (!isObject(schema)) throw new BuiltinError('Expected: Valid Schema, given: Invalid JSON')
    if (depth > MAX_DEPTH) throw new BuiltinError('schema nests too deeply')
    const { ctx, draft } = this
    const check: Check = { ctx, draft, schema, inner: (each) => this.check(each, depth + 1) }
    this.checkName(schema)
    for (const [name, keyword] of BEFORE_REFERENCE) {
      const value = schema.get(name)
      if (value !== undefined) keyword(value, name, check)
    }
    const ref = this.references.targetOf(schema)
    // Other keywords beside a reference are ignored.
    if (ref !== undefined) this.follow(ref, depth)
    else this.checkKeywords(schema, check)
  }

  private checkKeywords(schema: ObjectValue, check: Check): void {
    for (const [name, keyword] of KEYWORDS) {
      const value = schema.get(name)
      if (value !== undefined && isKeywordOf(this.draft, name)) keyword(value, name, check)
    }
  }

  /** Draft 4 has `id`, later ones have `$id`. */
  private checkName(schema: ObjectValue): void {
    const hasOld = this.draft === 4 || (this.draft === 'any' && schema.has('id'))
    const name = hasOld ? 'id' : '$id'
    const id = schema.get(name)
    if (id === undefined) return
    if (typeof id !== 'string') {
      throw new BuiltinError(`Invalid type. Expected: string, given: ${name}`)
    }
    if (parseUrl(id) === undefined)
      throw new BuiltinError(`parse ${JSON.stringify(id)}: invalid URL`)
  }

  private follow(ref: string, depth: number): void {
    if (this.followed.has(ref)) return
    this.followed.add(ref)
    const target = this.references.resolve(ref)
    if (typeof target !== 'boolean' && !isObject(target)) {
      throw new BuiltinError('Valid Schema must be of type object')
    }
    this.check(target, depth + 1)
  }
}
