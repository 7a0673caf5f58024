import { LimitError } from '../../errors.ts'
import { equal } from '../../values/compare.ts'
import { stringify } from '../../values/json.ts'
import { toInteger } from '../../values/number.ts'
import { RegoObject } from '../../values/object.ts'
import {
  isArray,
  isNumber,
  isObject,
  type ObjectValue,
  typeName,
  type Value,
} from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { isKeywordOf } from './keywords.ts'
import { Outcome } from './outcome.ts'
import {
  formatProblems,
  isLess,
  isMore,
  matches,
  numberProblems,
  type Problem,
  type Say,
  stringProblems,
} from './scalars.ts'
import type { Schema } from './schema.ts'

const MAX_REFS = 200

/** Validates a document against a checked schema; [] if it is valid. */
export function validate(ctx: BuiltinContext, schema: Schema, document: Value): readonly Problem[] {
  return new Validator(ctx, schema).run(document, schema.root, '(Root)', 0).problems
}

const kindOf = (value: Value): string =>
  isNumber(value) ? (toInteger(value) === undefined ? 'number' : 'integer') : typeName(value)

function fits(value: Value, type: Value): boolean {
  const kind = kindOf(value)
  return kind === type || (kind === 'integer' && type === 'number')
}

/** Where a part of the document is, and its schema. */
type Place = {
  /** The keyword of the schema; undefined if its draft does not have it. */
  readonly keyword: (name: string) => Value | undefined
  readonly at: string
  readonly depth: number
  readonly say: Say
}

/** What is wrong with a value is in the order of OPA. */
class Validator {
  private readonly ctx: BuiltinContext
  private readonly schema: Schema

  constructor(ctx: BuiltinContext, schema: Schema) {
    this.ctx = ctx
    this.schema = schema
  }

  /** Adds to the outcome of a schema around it, or makes one. */
  run(value: Value, schema: Value, at: string, depth: number, outcome = new Outcome()): Outcome {
    this.ctx.meter.charge(8)
    if (depth > MAX_REFS) throw new LimitError('schema refers to itself too often')
    const field = at.replace(/^\(Root\)\./, '')
    const say = (type: string, desc: string): Problem => ({ field, type, desc })
    if (schema === true) return outcome
    if (!isObject(schema)) return outcome.fail(say('false', 'False always fails validation'))
    const { draft, references } = this.schema
    const ref = references.targetOf(schema)
    if (ref !== undefined) return this.run(value, references.resolve(ref), at, depth + 1, outcome)
    const keyword = (name: string): Value | undefined =>
      isKeywordOf(draft, name) ? schema.get(name) : undefined
    const place: Place = { keyword, at, depth, say }
    const type = keyword('type')
    if (type !== undefined) {
      const types = isArray(type) ? type : [type]
      if (!this.isLeftOut(types) && !types.some((name) => fits(value, name))) {
        const expected = types.length === 1 ? String(types[0]) : `[${types.join(',')}]`
        const text = `Invalid type. Expected: ${expected}, given: ${kindOf(value)}`
        return outcome.fail(say('invalid_type', text))
      }
    }
    this.combined(value, place, outcome)
    if (isArray(value)) this.array(value, place, outcome)
    if (isObject(value)) this.object(value, place, outcome)
    if (isNumber(value)) outcome.step(numberProblems(value, keyword, say))
    outcome.step([
      ...this.common(value, keyword, field, say),
      ...(typeof value === 'string' ? formatProblems(this.ctx, value, keyword, say) : []),
    ])
    if (typeof value === 'string') outcome.step(stringProblems(this.ctx, value, keyword, say))
    const named = keyword('properties')
    if (isObject(value) && named !== undefined && isObject(named)) {
      for (const [key, own] of named.entries()) {
        const member = value.get(key)
        if (member !== undefined) this.run(member, own, `${at}.${String(key)}`, depth + 1, outcome)
      }
    }
    return outcome.step()
  }

  /** OPA accepts everything where no type, value or item is listed. */
  private isLeftOut(list: readonly Value[]): boolean {
    return list.length === 0 && this.ctx.dialect === 'opa-1.2'
  }

  private combined(value: Value, place: Place, outcome: Outcome): void {
    const { keyword, at, depth, say } = place
    const results = (name: string): Outcome[] =>
      listOf(keyword(name)).map((item) => this.run(value, item, at, depth + 1))
    const any = results('anyOf')
    if (any.length > 0 && !any.some(({ isValid }) => isValid)) {
      outcome.fail(say('number_any_of', 'Must validate at least one schema (anyOf)'))
      outcome.merge(Outcome.best(any))
    }
    const one = results('oneOf')
    const valid = one.filter(({ isValid }) => isValid).length
    if (one.length > 0 && valid !== 1) {
      outcome.fail(say('number_one_of', 'Must validate one and only one schema (oneOf)'))
      if (valid === 0) outcome.merge(Outcome.best(one))
    }
    const all = results('allOf')
    for (const each of all) outcome.merge(each)
    if (!all.every(({ isValid }) => isValid)) {
      outcome.fail(say('number_all_of', 'Must validate all the schemas (allOf)'))
    }
    const not = keyword('not')
    if (not !== undefined && this.run(value, not, at, depth + 1).isValid) {
      outcome.fail(say('number_not', 'Must not validate the schema (not)'))
    }
    if (isObject(value)) this.dependencies(value, place, outcome)
    this.conditional(value, place, outcome)
    outcome.step()
  }

  private dependencies(value: ObjectValue, place: Place, outcome: Outcome): void {
    const { keyword, at, depth, say } = place
    const dependencies = keyword('dependencies')
    if (dependencies === undefined || !isObject(dependencies)) return
    for (const [name, needed] of dependencies.entries()) {
      if (!value.has(name)) continue
      if (!isArray(needed)) this.run(value, needed, at, depth + 1, outcome)
      else {
        for (const other of needed) {
          if (value.has(other)) continue
          outcome.fail(say('missing_dependency', `Has a dependency on ${other}`))
        }
      }
    }
  }

  private conditional(value: Value, { keyword, at, depth, say }: Place, outcome: Outcome): void {
    const condition = keyword('if')
    if (condition === undefined) return
    const holds = this.run(value, condition, at, depth + 1).isValid
    const branch = keyword(holds ? 'then' : 'else')
    const found = branch === undefined ? undefined : this.run(value, branch, at, depth + 1)
    if (found === undefined || found.isValid) return
    const text = holds
      ? 'Must validate "then" as "if" was valid'
      : 'Must validate "else" as "if" was not valid'
    outcome.fail(say(holds ? 'condition_then' : 'condition_else', text))
    outcome.merge(found)
  }

  private common(value: Value, keyword: Place['keyword'], field: string, say: Say): Problem[] {
    const only = keyword('const')
    const values = keyword('enum')
    const problems: Problem[] = []
    if (only !== undefined && !equal(only, value)) {
      problems.push(say('const', `${field} does not match: ${stringify(only)}`))
    }
    const isOf = (all: readonly Value[]): boolean =>
      this.isLeftOut(all) || all.some((item) => equal(item, value))
    if (values !== undefined && isArray(values) && !isOf(values)) {
      const allowed = values.map((item) => stringify(item)).join(', ')
      problems.push(say('enum', `${field} must be one of the following: ${allowed}`))
    }
    return problems
  }

  private array(items: readonly Value[], place: Place, outcome: Outcome): void {
    const { keyword, at, depth, say } = place
    this.items(items, place, outcome)
    const [min, max] = [keyword('minItems'), keyword('maxItems')]
    if (isLess(items.length, min)) {
      outcome.fail(say('array_min_items', `Array must have at least ${min} items`))
    }
    if (isMore(items.length, max)) {
      outcome.fail(say('array_max_items', `Array must have at most ${max} items`))
    }
    if (keyword('uniqueItems') === true) this.unique(items, say, outcome)
    const contains = keyword('contains')
    if (contains !== undefined) {
      const all = items.map((item, i) => this.run(item, contains, `${at}.${i}`, depth + 1))
      if (!all.some(({ isValid }) => isValid)) {
        outcome.fail(say('contains', 'At least one of the items must match'))
        if (all.length > 0) outcome.merge(Outcome.best(all))
      }
    }
    outcome.step()
  }

  private items(items: readonly Value[], place: Place, outcome: Outcome): void {
    const { keyword, at, depth, say } = place
    const each = keyword('items')
    if (each === undefined) return
    const run = (schema: Value, i: number): Outcome =>
      outcome.merge(this.run(items[i]!, schema, `${at}.${i}`, depth + 1))
    if (!isArray(each)) {
      for (const i of items.keys()) run(each, i)
      return
    }
    for (const [i, own] of each.slice(0, items.length).entries()) run(own, i)
    const extra = keyword('additionalItems')
    if (extra === undefined || items.length <= each.length || this.isLeftOut(each)) return
    if (extra === false) {
      outcome.fail(say('array_no_additional_items', 'No additional items allowed on array'))
      return
    }
    for (let i = each.length; i < items.length; i++) run(extra, i)
  }

  private unique(items: readonly Value[], say: Say, outcome: Outcome): void {
    const seen = RegoObject.from([])
    for (const [j, item] of items.entries()) {
      const i = seen.get(item)
      if (i !== undefined) {
        outcome.fail(say('unique', `array items[${String(i)},${j}] must be unique`))
      }
      seen.set(item, j)
    }
  }

  private object(value: ObjectValue, place: Place, outcome: Outcome): void {
    const { keyword, at, depth, say } = place
    const [min, max] = [keyword('minProperties'), keyword('maxProperties')]
    if (isLess(value.size, min)) {
      outcome.fail(say('array_min_properties', `Must have at least ${min} properties`))
    }
    if (isMore(value.size, max)) {
      outcome.fail(say('array_max_properties', `Must have at most ${max} properties`))
    }
    for (const name of listOf(keyword('required'))) {
      if (value.has(name)) outcome.step()
      else outcome.fail(say('required', `${name} is required`))
    }
    for (const [key, member] of value.entries()) this.member(String(key), member, place, outcome)
    const names = keyword('propertyNames')
    if (names !== undefined) {
      for (const [key] of value.entries()) {
        const wrong = this.run(key, names, at, depth + 1)
        if (wrong.isValid) continue
        const text = `Property name of "${String(key)}" does not match`
        outcome.fail(say('invalid_property_name', text))
        outcome.merge(wrong)
      }
    }
    outcome.step()
  }

  /** Validates a member against patterns, and as an additional one; by its name it is validated last. */
  private member(name: string, member: Value, place: Place, outcome: Outcome): void {
    const { keyword, at, depth, say } = place
    const run = (schema: Value): Outcome =>
      outcome.merge(this.run(member, schema, `${at}.${name}`, depth + 1))
    const named = keyword('properties')
    let isKnown = named !== undefined && isObject(named) && named.has(name)
    const patterns = keyword('patternProperties')
    if (patterns !== undefined && isObject(patterns)) {
      const own = patterns.entries().filter(([key]) => matches(this.ctx, String(key), name))
      for (const [, schema] of own) run(schema)
      if (own.length > 0) {
        isKnown = true
        outcome.step()
      }
    }
    const extra = keyword('additionalProperties')
    if (isKnown || extra === undefined) return
    if (extra === false) {
      const text = `Additional property ${name} is not allowed`
      outcome.fail(say('additional_property_not_allowed', text))
    } else run(extra)
  }
}

const listOf = (value: Value | undefined): readonly Value[] =>
  value !== undefined && isArray(value) ? value : []
