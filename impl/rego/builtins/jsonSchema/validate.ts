import { LimitError } from '../../errors.ts'
import { equal } from '../../values/compare.ts'
import { stringify } from '../../values/json.ts'
import { toInteger } from '../../values/number.ts'
import { RegoSet } from '../../values/set.ts'
import {
  isArray,
  isNumber,
  isObject,
  type ObjectValue,
  typeName,
  type Value,
} from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { References } from './references.ts'
import {
  isLess,
  isMore,
  matches,
  numberProblems,
  type Problem,
  type Say,
  stringProblems,
} from './scalars.ts'

const MAX_REFS = 200

/** Validates a document against a checked schema; [] if it is valid. */
export const validate = (ctx: BuiltinContext, root: Value, document: Value): readonly Problem[] =>
  new Validator(ctx, root).run(document, root, '(Root)', 0)

const kindOf = (value: Value): string =>
  isNumber(value) ? (toInteger(value) === undefined ? 'number' : 'integer') : typeName(value)

function fits(value: Value, type: Value): boolean {
  const kind = kindOf(value)
  return kind === type || (kind === 'integer' && type === 'number')
}

/** The problems of the schema, or the item, that has the fewest. */
const best = (all: readonly Problem[][]): Problem[] =>
  all.reduce((least, one) => (one.length < least.length ? one : least), all[0] ?? [])

class Validator {
  private readonly ctx: BuiltinContext
  private readonly references: References

  constructor(ctx: BuiltinContext, root: Value) {
    this.ctx = ctx
    this.references = new References(root)
  }

  run(value: Value, schema: Value, at: string, depth: number): Problem[] {
    this.ctx.meter.charge(8)
    if (depth > MAX_REFS) throw new LimitError('schema refers to itself too often')
    const field = at.replace(/^\(Root\)\./, '')
    const say = (type: string, desc: string): Problem => ({ field, type, desc })
    if (schema === true) return []
    if (!isObject(schema)) return [say('false', 'False always fails validation')]
    const ref = schema.get('$ref')
    if (typeof ref === 'string') return this.run(value, this.references.resolve(ref), at, depth + 1)
    const type = schema.get('type')
    if (type !== undefined) {
      const types = isArray(type) ? type : [type]
      if (!this.isLeftOut(types) && !types.some((name) => fits(value, name))) {
        const expected = types.length === 1 ? String(types[0]) : `[${types.join(',')}]`
        return [say('invalid_type', `Invalid type. Expected: ${expected}, given: ${kindOf(value)}`)]
      }
    }
    return [
      ...this.combined(value, schema, at, depth, say),
      ...this.common(value, schema, field, say),
      ...(isArray(value) ? this.array(value, schema, at, depth, say) : []),
      ...(isObject(value) ? this.object(value, schema, at, depth, say) : []),
      ...(isNumber(value) ? numberProblems(value, schema, say) : []),
      ...(typeof value === 'string' ? stringProblems(this.ctx, value, schema, say) : []),
    ]
  }

  /** OPA accepts everything where no type or value is listed. */
  private isLeftOut(list: readonly Value[]): boolean {
    return list.length === 0 && this.ctx.dialect === 'opa-1.2'
  }

  private list(schema: ObjectValue, name: string): readonly Value[] {
    const value = schema.get(name)
    return value !== undefined && isArray(value) ? value : []
  }

  private combined(
    value: Value,
    schema: ObjectValue,
    at: string,
    depth: number,
    say: Say,
  ): Problem[] {
    const results = (name: string): Problem[][] =>
      this.list(schema, name).map((item) => this.run(value, item, at, depth + 1))
    const problems: Problem[] = []
    const any = results('anyOf')
    if (any.length > 0 && any.every((result) => result.length > 0)) {
      problems.push(say('number_any_of', 'Must validate at least one schema (anyOf)'), ...best(any))
    }
    const one = results('oneOf')
    const valid = one.filter((result) => result.length === 0).length
    if (one.length > 0 && valid !== 1) {
      problems.push(say('number_one_of', 'Must validate one and only one schema (oneOf)'))
      if (valid === 0) problems.push(...best(one))
    }
    const all = results('allOf')
    if (all.some((result) => result.length > 0)) {
      problems.push(...all.flat(), say('number_all_of', 'Must validate all the schemas (allOf)'))
    }
    const not = schema.get('not')
    if (not !== undefined && this.run(value, not, at, depth + 1).length === 0) {
      problems.push(say('number_not', 'Must not validate the schema (not)'))
    }
    return [...problems, ...this.conditional(value, schema, at, depth, say)]
  }

  private conditional(
    value: Value,
    schema: ObjectValue,
    at: string,
    depth: number,
    say: Say,
  ): Problem[] {
    const condition = schema.get('if')
    if (condition === undefined) return []
    const holds = this.run(value, condition, at, depth + 1).length === 0
    const branch = schema.get(holds ? 'then' : 'else')
    if (branch === undefined) return []
    const found = this.run(value, branch, at, depth + 1)
    if (found.length === 0) return []
    const text = holds
      ? 'Must validate "then" as "if" was valid'
      : 'Must validate "else" as "if" was not valid'
    return [say(holds ? 'condition_then' : 'condition_else', text), ...found]
  }

  private common(value: Value, schema: ObjectValue, field: string, say: Say): Problem[] {
    const only = schema.get('const')
    const values = schema.get('enum')
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

  private array(
    items: readonly Value[],
    schema: ObjectValue,
    at: string,
    depth: number,
    say: Say,
  ): Problem[] {
    const problems: Problem[] = []
    const each = schema.get('items')
    const extra = schema.get('additionalItems')
    items.forEach((item, i) => {
      const own = each !== undefined && isArray(each) ? each[i] : each
      if (own !== undefined) problems.push(...this.run(item, own, `${at}.${i}`, depth + 1))
      else if (each !== undefined && extra !== undefined && extra !== false) {
        problems.push(...this.run(item, extra, `${at}.${i}`, depth + 1))
      }
    })
    if (extra === false && each !== undefined && isArray(each) && items.length > each.length) {
      problems.push(say('array_no_additional_items', 'No additional items allowed on array'))
    }
    const [min, max] = [schema.get('minItems'), schema.get('maxItems')]
    if (isLess(items.length, min)) {
      problems.push(say('array_min_items', `Array must have at least ${min} items`))
    }
    if (isMore(items.length, max)) {
      problems.push(say('array_max_items', `Array must have at most ${max} items`))
    }
    if (schema.get('uniqueItems') === true) problems.push(...this.unique(items, say))
    const contains = schema.get('contains')
    if (contains !== undefined) {
      const all = items.map((item, i) => this.run(item, contains, `${at}.${i}`, depth + 1))
      if (all.every((result) => result.length > 0)) {
        problems.push(say('contains', 'At least one of the items must match'), ...best(all))
      }
    }
    return problems
  }

  private unique(items: readonly Value[], say: Say): Problem[] {
    const seen = new RegoSet()
    for (const [j, item] of items.entries()) {
      if (seen.has(item)) {
        const i = items.findIndex((other) => equal(other, item))
        return [say('unique', `array items[${i},${j}] must be unique`)]
      }
      seen.add(item)
    }
    return []
  }

  private object(
    value: ObjectValue,
    schema: ObjectValue,
    at: string,
    depth: number,
    say: Say,
  ): Problem[] {
    const problems: Problem[] = []
    const [min, max] = [schema.get('minProperties'), schema.get('maxProperties')]
    if (isLess(value.size, min)) {
      problems.push(say('array_min_properties', `Must have at least ${min} properties`))
    }
    if (isMore(value.size, max)) {
      problems.push(say('array_max_properties', `Must have at most ${max} properties`))
    }
    for (const name of this.list(schema, 'required')) {
      if (!value.has(name)) problems.push(say('required', `${name} is required`))
    }
    problems.push(...this.members(value, schema, at, depth, say))
    const dependencies = schema.get('dependencies')
    if (dependencies === undefined || !isObject(dependencies)) return problems
    for (const [name, needed] of dependencies.entries()) {
      if (!value.has(name)) continue
      if (!isArray(needed)) problems.push(...this.run(value, needed, at, depth + 1))
      else {
        for (const other of needed) {
          if (!value.has(other)) {
            problems.push(say('missing_dependency', `Has a dependency on ${other}`))
          }
        }
      }
    }
    return problems
  }

  private members(
    value: ObjectValue,
    schema: ObjectValue,
    at: string,
    depth: number,
    say: Say,
  ): Problem[] {
    const problems: Problem[] = []
    const named = schema.get('properties')
    const patterns = schema.get('patternProperties')
    const extra = schema.get('additionalProperties')
    const names = schema.get('propertyNames')
    for (const [key, member] of value.entries()) {
      const name = String(key)
      let known = false
      const own = named !== undefined && isObject(named) ? named.get(key) : undefined
      if (own !== undefined) {
        known = true
        problems.push(...this.run(member, own, `${at}.${name}`, depth + 1))
      }
      if (patterns !== undefined && isObject(patterns)) {
        for (const [pattern, sub] of patterns.entries()) {
          if (!matches(this.ctx, String(pattern), name)) continue
          known = true
          problems.push(...this.run(member, sub, `${at}.${name}`, depth + 1))
        }
      }
      if (!known && extra === false) {
        problems.push(
          say('additional_property_not_allowed', `Additional property ${name} is not allowed`),
        )
      } else if (!known && extra !== undefined) {
        problems.push(...this.run(member, extra, `${at}.${name}`, depth + 1))
      }
      const wrong = names === undefined ? [] : this.run(name, names, at, depth + 1)
      if (wrong.length > 0) {
        const text = `Property name of "${name}" does not match`
        problems.push(say('invalid_property_name', text), ...wrong)
      }
    }
    return problems
  }
}
