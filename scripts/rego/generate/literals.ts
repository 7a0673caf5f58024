import type { Defined, TermSource } from './termSource.ts'
import { COLLECTIONS, KINDS } from './vocabulary.ts'

/** A literal; the variables that it binds stay in scope. */
export function literal(terms: TermSource, depth: number): string {
  const { choices } = terms
  switch (choices.below(13)) {
    case 0: {
      const kind = choices.one(KINDS)
      const value = terms.value(kind, depth)
      return `${terms.declare(kind)} := ${value}`
    }
    case 1:
    case 2: {
      const domain = terms.value(choices.one(COLLECTIONS), depth)
      return `some ${terms.declare('number')} in ${domain}`
    }
    case 3: {
      const domain = terms.value('object', depth)
      const key = terms.declare('string')
      return `some ${key}, ${terms.declare('number')} in ${domain}`
    }
    case 4:
      return `not ${condition(terms, depth)}`
    case 5:
      return every(terms, depth)
    case 6: {
      const value = terms.value('number', depth)
      const other = terms.value('string', depth)
      return `[${terms.declare('number')}, ${terms.declare('string')}] = [${value}, ${other}]`
    }
    case 7:
      return replaced(terms, depth)
    case 8:
      return iterated(terms)
    case 9: {
      const domain = terms.value('object', depth)
      return `{"a": ${terms.declare('number')}, "b": _} = object.filter(${domain}, {"a", "b"})`
    }
    case 10:
      if (choices.rarely(6)) return `internal.print([{${terms.simple('number')}}])`
      return `print(${terms.value(choices.one(KINDS), depth - 1)})`
    case 11: {
      const [key, domain] = [terms.value('string', 0), terms.value('object', depth - 1)]
      return `${key}, ${terms.value('number', 0)} in ${domain}`
    }
    default:
      return condition(terms, depth)
  }
}

function every(terms: TermSource, depth: number): string {
  const { choices } = terms
  const hasKey = choices.rarely(3)
  const domain = terms.value(hasKey ? 'object' : choices.one(COLLECTIONS), depth)
  terms.enter([])
  const key = hasKey ? terms.declare('string') : undefined
  const name = terms.declare('number')
  const body = condition(terms, depth)
  terms.leave()
  return key === undefined
    ? `every ${name} in ${domain} { ${name} != 100; ${body} }`
    : `every ${key}, ${name} in ${domain} { ${key} != "zz"; ${name} != 100; ${body} }`
}

/** A condition with a document, a rule, a function or a built-in replaced, which it mostly uses. */
function replaced(terms: TermSource, depth: number): string {
  const { choices } = terms
  const own = terms.defined.filter(({ name }) => /^(data\.|r\d)/.test(name))
  switch (choices.below(4)) {
    case 0: {
      const rules = own.filter(({ args }) => args.length === 0)
      if (rules.length === 0) break
      const rule = choices.one(rules)
      const value = terms.value(rule.kind, depth - 1)
      return `${conditionOn(terms, rule, depth)} with ${full(rule.name)} as ${value}`
    }
    case 1: {
      const functions = own.filter(({ args }) => args.length > 0)
      if (functions.length === 0) break
      const one = choices.one(functions)
      const others = functions.filter(({ args }) => args.length === one.args.length)
      const value = choices.rarely(4) ? full(choices.one(others).name) : terms.constant(one.kind)
      const name = choices.rarely(4) ? one.name : full(one.name)
      return `${conditionOn(terms, one, depth)} with ${name} as ${value}`
    }
    case 2: {
      const one = choices.one(REPLACEABLE)
      const functions = own.filter(({ args }) => args.length === 1)
      const value =
        functions.length > 0 && choices.rarely(4)
          ? full(choices.one(functions).name)
          : terms.constant(one.kind)
      const holds = conditionOn(terms, one, depth)
      return `${holds} with ${one.name} as ${value} with input.number as ${terms.value('number', 0)}`
    }
    default:
  }
  const kind = choices.one(KINDS)
  const target = `${choices.one(['input', 'data.base'])}.${kind}`
  const holds = conditionOn(terms, { name: target, kind, args: [] }, depth)
  return `${holds} with ${target} as ${terms.value(kind, depth - 1)}`
}

/** A condition that mostly uses a document, a rule or a function. */
function conditionOn(terms: TermSource, { name, kind, args }: Defined, depth: number): string {
  const { choices } = terms
  if (choices.rarely(3)) return condition(terms, depth)
  const operands = args.map((arg) => terms.value(arg, depth - 1))
  const used = args.length === 0 ? name : `${name}(${operands.join(', ')})`
  return choices.rarely(3)
    ? `${terms.declare(kind)} := ${used}`
    : `${used} ${choices.one(COMPARISONS)} ${terms.value(kind, depth - 1)}`
}

/** A reference with variables, which it binds. */
function iterated(terms: TermSource): string {
  const { choices } = terms
  const root = choices.one(['input', 'data.base'])
  const number = terms.value('number', 0)
  switch (choices.below(4)) {
    case 0:
      return `${root}.array[${terms.declare('number')}] > ${number}`
    case 1: {
      const name = terms.fresh()
      return `some ${name}; ${terms.declare('number')} := ${root}.object[${name}]`
    }
    case 2:
      return `${root}.array[_] == ${number}`
    default:
      return `${terms.declare('number')} = ${root}.object[_]`
  }
}

function condition(terms: TermSource, depth: number): string {
  const kind = terms.choices.one(KINDS)
  const left = terms.value(kind, depth - 1)
  switch (terms.choices.below(6)) {
    case 0:
      return terms.value('boolean', depth)
    case 1:
      return `${terms.value('number', depth - 1)} in ${terms.value(terms.choices.one(COLLECTIONS), depth - 1)}`
    default:
      return `${left} ${terms.choices.one(COMPARISONS)} ${terms.value(kind, depth - 1)}`
  }
}

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=']

/** Built-ins that a `with` replaces. */
const REPLACEABLE: readonly Defined[] = [
  { name: 'count', kind: 'number', args: ['array'] },
  { name: 'upper', kind: 'string', args: ['string'] },
  { name: 'is_number', kind: 'boolean', args: ['number'] },
  { name: 'abs', kind: 'number', args: ['number'] },
]

const full = (name: string): string => (name.startsWith('data.') ? name : `data.gen.main.${name}`)
