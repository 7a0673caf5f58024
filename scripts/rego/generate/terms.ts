import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { callable, callOf, NETWORK } from './builtinCalls.ts'
import type { Choices } from './choices.ts'
import { literal } from './literals.ts'
import type { Defined, Scope, TermSource } from './termSource.ts'
import { CALLS, COLLECTIONS, KINDS, type Kind, NUMBERS, STRINGS } from './vocabulary.ts'

type Options = {
  /** Sometimes ill typed. */
  readonly wild: boolean
  /** The built-ins that may be called. */
  readonly builtins: readonly Builtin[]
}

/** Terms and bodies of a rule under construction, with the variables in scope. */
export class Terms implements TermSource {
  readonly choices: Choices
  readonly defined: readonly Defined[]
  readonly wild: boolean
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

  simple(kind: Kind): string {
    const { choices } = this
    const vars = this.scopes.flat().filter((each) => each.kind === kind)
    if (vars.length > 0 && !choices.rarely(3)) return choices.one(vars).name
    const rules = this.defined.filter((each) => each.kind === kind && each.args.length === 0)
    if (rules.length > 0 && choices.rarely(2)) return choices.one(rules).name
    return choices.rarely(3) ? this.read(kind) : this.constant(kind)
  }

  private read(kind: Kind): string {
    const root = this.choices.one(['input', 'data.base'])
    if (this.choices.rarely(20)) return `${root}.nothing`
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

  fresh(): string {
    return `x${this.counter++}`
  }

  /** A new variable in scope. */
  declare(kind: Kind): string {
    const name = this.fresh()
    this.scopes.at(-1)?.push({ name, kind })
    return name
  }

  /** The literals of a body. Its variables stay in scope until `leave`. */
  body(depth: number): string {
    this.scopes.push([])
    const literals: string[] = []
    do literals.push(literal(this, depth))
    while (this.choices.rarely(2) && literals.length < 4)
    if (this.choices.rarely(3)) literals.reverse()
    return literals.join('\n')
  }

  leave(): void {
    this.scopes.pop()
  }
}
