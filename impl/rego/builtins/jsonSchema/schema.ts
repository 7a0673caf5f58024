import { BuiltinError } from '../../errors.ts'
import { isObject, MAX_DEPTH, type ObjectValue, type Value } from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { BEFORE_REFERENCE, type Check, type Draft, KEYWORDS } from './keywords.ts'
import { References } from './references.ts'

/**
 * Checks that a value is a schema (draft 4 to 7), as OPA does.
 *
 * @throws BuiltinError with the error
 */
export function checkSchema(ctx: BuiltinContext, schema: Value): void {
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) throw new BuiltinError('schema is invalid')
  const name = schema.get('$schema')
  if (name !== undefined && typeof name !== 'string') {
    throw new BuiltinError('$schema must be of type string')
  }
  new SchemaChecker(ctx, schema, draftOf(name)).check(schema, 0)
}

function draftOf(name: string | undefined): Draft {
  const number = /^http:\/\/json-schema\.org\/draft-0([467])\/schema#?$/.exec(name ?? '')?.[1]
  return number === undefined ? 'any' : (Number(number) as Draft)
}

class SchemaChecker {
  private readonly ctx: BuiltinContext
  private readonly references: References
  private readonly draft: Draft
  /** References that were followed. */
  private readonly followed = new Set<string>()

  constructor(ctx: BuiltinContext, root: Value, draft: Draft) {
    this.ctx = ctx
    this.references = new References(root)
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
    const ref = schema.get('$ref')
    // Other keywords beside a reference are ignored.
    if (typeof ref === 'string') this.follow(ref, depth)
    else this.checkKeywords(schema, check)
  }

  private checkKeywords(schema: ObjectValue, check: Check): void {
    const { draft } = this
    for (const [name, keyword, since = 4] of KEYWORDS) {
      const value = schema.get(name)
      const isOfDraft = draft === 'any' || draft >= since
      if (value !== undefined && isOfDraft) keyword(value, name, check)
    }
  }

  /** Draft 4 has `id`, later ones have `$id`. */
  private checkName(schema: ObjectValue): void {
    const hasOld = this.draft === 4 || (this.draft === 'any' && schema.has('id'))
    const name = hasOld ? 'id' : '$id'
    const id = schema.get(name)
    if (id !== undefined && typeof id !== 'string') {
      throw new BuiltinError(`Invalid type. Expected: string, given: ${name}`)
    }
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
