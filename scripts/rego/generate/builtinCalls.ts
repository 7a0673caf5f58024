import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import type { Type } from 'polgate-rego/builtins/types.ts'
import type { Choices } from './choices.ts'
import { POOLS } from './pools.ts'
import { COLLECTIONS, KINDS, type Kind } from './vocabulary.ts'

/** A term of a kind, made from whatever is in scope. */
type MakeTerm = (kind: Kind, depth: number) => string

/** The result differs between engines or runs: compared by what can be said of it. */
const VARYING: Readonly<Record<string, (call: string) => string>> = {
  'time.now_ns': (call) => `(${call} > 1600000000000000000)`,
  'rand.intn': (call) => `is_number(${call})`,
  'uuid.rfc4122': (call) => `count(${call})`,
  'opa.runtime': (call) => `is_object(${call})`,
}

/** Whether the text is a call whose result is not to be compared. */
export const isVarying = (text: string): boolean =>
  Object.keys(VARYING).some((name) => text.startsWith(`${name}(`))

/** Called only with a replacement: they would use the network. */
const REPLACED: Readonly<Record<string, string>> = {
  'http.send': '{"status_code": 200}',
  'net.lookup_ip_addr': '{"10.0.0.1"}',
}

/** Not called without a replacement. */
export const NETWORK = Object.keys(REPLACED)

/** Not called by name in a term: operators that bind, statements, and what only annotated rules have. */
const NOT_TERMS = [
  'eq',
  'assign',
  'print',
  'internal.print',
  'rego.metadata.chain',
  'rego.metadata.rule',
]

/** The built-ins that `callOf` may be asked for. */
export const callable = (builtins: Iterable<Builtin>): Builtin[] =>
  [...builtins].filter(({ name, deprecated }) => !deprecated && !NOT_TERMS.includes(name))

/** What follows a literal that calls a built-in, if it must be replaced. */
export function replacement(name: string): string {
  const value = REPLACED[name]
  return value === undefined ? '' : ` with ${name} as ${value}`
}

/** A call of a built-in: operands from its pools, of its declared types, or from the scope. */
export function callOf(choices: Choices, builtin: Builtin, term: MakeTerm, depth: number): string {
  const pools = POOLS.get(builtin.name) ?? []
  const operands = builtin.args.map((type, i) => {
    const pool = pools[i]
    return pool === undefined || choices.rarely(6)
      ? typed(choices, type, term, depth)
      : choices.one(pool)
  })
  return asCompared(builtin.name, `${builtin.name}(${operands.join(', ')})`)
}

/** A call, or what can be said of its result where that differs between runs. */
export const asCompared = (name: string, call: string): string => VARYING[name]?.(call) ?? call

/** A term of a declared type. */
function typed(choices: Choices, type: Type, term: MakeTerm, depth: number): string {
  const part = (of: Type): string => typed(choices, of, term, depth - 1)
  const some = (of: Type): string[] =>
    Array.from({ length: depth > 0 ? choices.below(3) : 0 }, () => part(of))
  switch (type.kind) {
    case 'any':
      return choices.rarely(6) ? 'null' : term(choices.one(KINDS), depth - 1)
    case 'null':
      return 'null'
    case 'number':
    case 'string':
    case 'boolean':
      return term(type.kind, depth - 1)
    case 'array': {
      const items = [
        ...type.static.map(part),
        ...(type.dynamic === undefined ? [] : some(type.dynamic)),
      ]
      return `[${items.join(', ')}]`
    }
    case 'set': {
      const items = some(type.of)
      return items.length === 0 ? 'set()' : `{${items.join(', ')}}`
    }
    case 'object': {
      const named = type.static.map(({ key, value }) => `${JSON.stringify(key)}: ${part(value)}`)
      const { dynamic } = type
      const others =
        dynamic === undefined
          ? []
          : some(dynamic.value).map((value) => `${part(dynamic.key)}: ${value}`)
      return `{${[...named, ...others].join(', ')}}`
    }
    case 'union':
      return part(choices.one(type.of))
    case 'function':
      return term(choices.one(COLLECTIONS), depth)
  }
}
