import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { callable, callOf } from './builtinCalls.ts'
import type { Choices } from './choices.ts'
import { CALLS, COLLECTIONS, KINDS, type Kind, NUMBERS, STRINGS } from './vocabulary.ts'

/** A rule or function that later rules may use. */
export type Defined = { readonly name: string; readonly kind: Kind; readonly args: readonly Kind[] }

type Scope = readonly { readonly name: string; readonly kind: Kind }[]

type Options = {
  /** Sometimes ill typed. */
  readonly wild: boolean
  /** The built-ins that may be called. */
  readonly builtins: readonly Builtin[]
}

/** Terms and bodies of a rule under construction, with the variables in scope. */
export class Terms {
  private readonly choices: Choices
  private readonly defined: readonly Defined[]
  private readonly wild: boolean
  readonly builtins: readonly Builtin[]
  private readonly scopes: { readonly name: string; readonly kind: Kind }[][] = []
  private counter = 0

  constructor(choices: Choices, defined: readonly Defined[], options: Options) {
    this.choices = choices
    this.defined = defined
    this.wild = options.wild
    this.builtins = options.builtins
  }

  constant(kind: Kind): string {
    const { choices } = this
    switch (kind) {
      case 'number':
        return choices.one(NUMBERS)
      case 'string':
        return choices.one(STRINGS)
      case 'boolean':
        return choices.one(['true', 'false'])
      case 'array':
        return `[${this.list(() => choices.one(NUMBERS))}]`
      case 'set':
        return `{${choices.one(NUMBERS)}, ${choices.one(NUMBERS)}}`
      case 'object':
        return `{${choices.one(STRINGS)}: ${choices.one(NUMBERS)}}`
    }
  }

  private list(item: () => string): string {
    return Array.from({ length: this.choices.below(4) }, item).join(', ')
  }

  /** A term of a kind; with `wild`, sometimes of another. */
  value(wanted: Kind, depth: number): string {
    const { choices } = this
    const kind = this.wild && choices.rarely(25) ? choices.one(KINDS) : wanted
    if (depth <= 0 || choices.done) return this.simple(kind)
    switch (choices.below(8)) {
      case 0:
      case 1:
        return this.simple(kind)
      case 2:
        return this.ofResult(kind, depth)
      case 3:
        return this.filled(choices.one(CALLS[kind]), depth)
      case 4:
        return this.called(kind, depth)
      case 5:
        return COLLECTIONS.includes(kind)
          ? this.comprehension(kind, depth)
          : this.member(kind, depth)
      case 6:
        return this.composite(kind, depth)
      default:
        return this.read(kind)
    }
  }

  private filled(template: string, depth: number): string {
    return template.replace(/%(number|string|boolean|array|set|object)/g, (_, kind: Kind) =>
      this.value(kind, depth - 1),
    )
  }

  /** A call of any built-in with a result of this kind. */
  private ofResult(kind: Kind, depth: number): string {
    const fitting = callable(this.builtins).filter(
      ({ result, relation, name }) => result.kind === kind && !relation && !NETWORK.includes(name),
    )
    if (fitting.length === 0 || COLLECTIONS.includes(kind)) {
      return this.filled(this.choices.one(CALLS[kind]), depth)
    }
    return callOf(this.choices, this.choices.one(fitting), (of, d) => this.value(of, d), depth - 1)
  }

  private simple(kind: Kind): string {
    const { choices } = this
    const vars = this.scopes.flat().filter((each) => each.kind === kind)
    if (vars.length > 0 && !choices.rarely(3)) return choices.one(vars).name
    const rules = this.defined.filter((each) => each.kind === kind && each.args.length === 0)
    if (rules.length > 0 && choices.rarely(2)) return choices.one(rules).name
    return choices.rarely(3) ? this.read(kind) : this.constant(kind)
  }

  private read(kind: Kind): string {
    const root = this.choices.one(['input', 'data.base'])
    return `${root}.${kind}${this.choices.rarely(6) ? '.none' : ''}`
  }

  private called(kind: Kind, depth: number): string {
    const functions = this.defined.filter((each) => each.kind === kind && each.args.length > 0)
    if (functions.length === 0) return this.filled(this.choices.one(CALLS[kind]), depth)
    const { name, args } = this.choices.one(functions)
    return `${name}(${args.map((arg) => this.value(arg, depth - 1)).join(', ')})`
  }

  private member(kind: Kind, depth: number): string {
    if (kind !== 'number') return this.simple(kind)
    const path = this.choices.one(['["a"]', '.b'])
    const object = this.read('object')
    return this.choices.rarely(2)
      ? `${object}${path}`
      : `[${this.value('number', depth - 1)}, 2][1]`
  }

  private composite(kind: Kind, depth: number): string {
    const value = (of: Kind): string => this.value(of, depth - 1)
    if (kind === 'array') return `[${this.list(() => value('number'))}]`
    if (kind === 'set') return `{${value('number')}, ${value('number')}}`
    if (kind === 'object') {
      // OPA iterates over an object with computed keys in an order other than that of the keys.
      const key = this.wild ? value('string') : this.constant('string')
      return `{${key}: ${value('number')}, "z": ${value('number')}}`
    }
    return this.simple(kind)
  }

  private comprehension(kind: Kind, depth: number): string {
    const body = this.body(depth - 1).replaceAll('\n', '; ')
    const head = this.simple('number')
    const text =
      kind === 'array'
        ? `[${head} | ${body}]`
        : kind === 'set'
          ? `{${head} | ${body}}`
          : `{${this.simple('string')}: ${head} | ${body}}`
    this.leave()
    return text
  }

  /** Names for the arguments of a function, in a separate scope. */
  arguments(kinds: readonly Kind[]): string[] {
    const scope = kinds.map((kind) => ({ name: this.fresh(), kind }))
    this.scopes.push(scope)
    return scope.map(({ name }) => name)
  }

  /** A pattern that matches some values of a kind, and the variables that it binds. */
  pattern(kind: 'number' | 'string' | 'array' | 'object'): readonly [string, Scope] {
    const { choices } = this
    if (choices.rarely(4)) {
      const name = this.fresh()
      return [name, [{ name, kind }]]
    }
    if (kind === 'number' || kind === 'string') return [this.constant(kind), []]
    const name = this.fresh()
    const scope: Scope = [{ name, kind: 'number' }]
    const patterns =
      kind === 'array'
        ? [`[${name}]`, `[3, ${name}, _, _]`, `[_, ${name}]`]
        : [`{"a": ${name}}`, `{"a": 1, "b": ${name}}`]
    return [choices.one(patterns), scope]
  }

  enter(scope: Scope): void {
    this.scopes.push([...scope])
  }

  private fresh(): string {
    return `x${this.counter++}`
  }

  private declare(kind: Kind): string {
    const name = this.fresh()
    this.scopes.at(-1)?.push({ name, kind })
    return name
  }

  /** The literals of a body. Its variables stay in scope until `leave`. */
  body(depth: number): string {
    this.scopes.push([])
    const literals: string[] = []
    do literals.push(this.literal(depth))
    while (this.choices.rarely(2) && literals.length < 4)
    if (this.choices.rarely(3)) literals.reverse()
    return literals.join('\n')
  }

  leave(): void {
    this.scopes.pop()
  }

  private literal(depth: number): string {
    const { choices } = this
    switch (choices.below(13)) {
      case 0: {
        const kind = choices.one(KINDS)
        const value = this.value(kind, depth)
        return `${this.declare(kind)} := ${value}`
      }
      case 1:
      case 2: {
        const domain = this.value(choices.one(COLLECTIONS), depth)
        return `some ${this.declare('number')} in ${domain}`
      }
      case 3: {
        const domain = this.value('object', depth)
        const key = this.declare('string')
        return `some ${key}, ${this.declare('number')} in ${domain}`
      }
      case 4:
        return `not ${this.condition(depth)}`
      case 5:
        return this.every(depth)
      case 6: {
        const value = this.value('number', depth)
        const other = this.value('string', depth)
        return `[${this.declare('number')}, ${this.declare('string')}] = [${value}, ${other}]`
      }
      case 7:
        return this.replaced(depth)
      case 8:
        return this.iterated()
      case 9: {
        const domain = this.value('object', depth)
        return `{"a": ${this.declare('number')}, "b": _} = object.filter(${domain}, {"a", "b"})`
      }
      case 10:
        if (choices.rarely(6)) return `internal.print([{${this.simple('number')}}])`
        return `print(${this.value(choices.one(KINDS), depth - 1)})`
      case 11: {
        const [key, domain] = [this.value('string', 0), this.value('object', depth - 1)]
        return `${key}, ${this.value('number', 0)} in ${domain}`
      }
      default:
        return this.condition(depth)
    }
  }

  private every(depth: number): string {
    const { choices } = this
    const hasKey = choices.rarely(3)
    const domain = this.value(hasKey ? 'object' : choices.one(COLLECTIONS), depth)
    this.scopes.push([])
    const key = hasKey ? this.declare('string') : undefined
    const name = this.declare('number')
    // OPA does not type-check inside every: it accepts what this engine rejects.
    const body = this.wild ? this.condition(depth) : `${name} < ${this.simple('number')}`
    this.leave()
    return key === undefined
      ? `every ${name} in ${domain} { ${name} != 100; ${body} }`
      : `every ${key}, ${name} in ${domain} { ${key} != "zz"; ${name} != 100; ${body} }`
  }

  /** A condition with a document, a rule, a function or a built-in replaced. */
  private replaced(depth: number): string {
    const { choices } = this
    const condition = this.condition(depth)
    const own = this.defined.filter(({ name }) => /^(data\.|r\d)/.test(name))
    const kind = choices.one(KINDS)
    switch (choices.below(4)) {
      case 0: {
        const rules = own.filter(({ args }) => args.length === 0)
        if (rules.length === 0) break
        const rule = choices.one(rules)
        return `${condition} with ${full(rule.name)} as ${this.value(rule.kind, depth - 1)}`
      }
      case 1: {
        const functions = own.filter(({ args }) => args.length > 0)
        if (functions.length === 0) break
        const { name, kind } = choices.one(functions)
        return `${condition} with ${full(name)} as ${this.constant(kind)}`
      }
      case 2: {
        const name = choices.one(['count', 'upper', 'is_number', 'abs'])
        const value = this.constant(REPLACEABLE[name as keyof typeof REPLACEABLE])
        return `${condition} with ${name} as ${value} with input.number as ${this.value('number', 0)}`
      }
      default:
    }
    const target = `${choices.one(['input', 'data.base'])}.${kind}`
    return `${condition} with ${target} as ${this.value(kind, depth - 1)}`
  }

  /** A reference with variables, which it binds. */
  private iterated(): string {
    const { choices } = this
    const root = choices.one(['input', 'data.base'])
    const number = this.value('number', 0)
    switch (choices.below(4)) {
      case 0:
        return `${root}.array[${this.declare('number')}] > ${number}`
      case 1: {
        const name = this.fresh()
        return `some ${name}; ${this.declare('number')} := ${root}.object[${name}]`
      }
      case 2:
        return `${root}.array[_] == ${number}`
      default:
        return `${this.declare('number')} = ${root}.object[_]`
    }
  }

  private condition(depth: number): string {
    const kind = this.choices.one(KINDS)
    const left = this.value(kind, depth - 1)
    switch (this.choices.below(6)) {
      case 0:
        return this.value('boolean', depth)
      case 1:
        return `${this.value('number', depth - 1)} in ${this.value(this.choices.one(COLLECTIONS), depth - 1)}`
      default:
        return `${left} ${this.choices.one(['==', '!=', '<', '<=', '>', '>='])} ${this.value(kind, depth - 1)}`
    }
  }
}

const NETWORK = ['http.send', 'net.lookup_ip_addr']

/** Built-ins that a `with` replaces, by the kind of their result. */
const REPLACEABLE = {
  count: 'number',
  upper: 'string',
  is_number: 'boolean',
  abs: 'number',
} as const

const full = (name: string): string => (name.startsWith('data.') ? name : `data.gen.main.${name}`)
