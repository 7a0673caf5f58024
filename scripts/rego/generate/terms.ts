import type { Choices } from './choices.ts'
import { CALLS, COLLECTIONS, KINDS, type Kind, NUMBERS, STRINGS } from './vocabulary.ts'

/** A rule or function that later rules may use. */
export type Defined = { readonly name: string; readonly kind: Kind; readonly args: readonly Kind[] }

/** Terms and bodies of a rule under construction, with the variables in scope. */
export class Terms {
  private readonly choices: Choices
  private readonly defined: readonly Defined[]
  private readonly wild: boolean
  private readonly scopes: { readonly name: string; readonly kind: Kind }[][] = []
  private counter = 0

  constructor(choices: Choices, defined: readonly Defined[], wild: boolean) {
    this.choices = choices
    this.defined = defined
    this.wild = wild
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

  private fresh(): string {
    return `v${this.counter++}`
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
    switch (choices.below(9)) {
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
        return `not ${this.denied(depth)}`
      case 5: {
        const domain = this.value(choices.one(COLLECTIONS), depth)
        this.scopes.push([])
        const name = this.declare('number')
        // OPA does not type-check inside every: it accepts what this engine rejects.
        const body = this.wild ? this.condition(depth) : `${name} < ${this.simple('number')}`
        this.leave()
        return `every ${name} in ${domain} { ${name} != 100; ${body} }`
      }
      case 6: {
        const value = this.value('number', depth)
        const other = this.value('string', depth)
        return `[${this.declare('number')}, ${this.declare('string')}] = [${value}, ${other}]`
      }
      case 7: {
        const kind = choices.one(KINDS)
        const target = `${choices.one(['input', 'data.base'])}.${kind}`
        return `${this.condition(depth)} with ${target} as ${this.value(kind, depth - 1)}`
      }
      default:
        return this.condition(depth)
    }
  }

  /**
   * Terms allowed after `not`. OPA evaluates the arguments of a call outside the negation, so that
   * an undefined argument makes the expression undefined; in this engine and regorus the negation
   * holds. Compared policies therefore have no calls there.
   */
  private denied(depth: number): string {
    if (this.wild) return this.condition(depth)
    const kind = this.choices.one(['number', 'string', 'boolean'] as const)
    return `${this.simple(kind)} == ${this.constant(kind)}`
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
