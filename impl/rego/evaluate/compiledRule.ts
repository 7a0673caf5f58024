import type { ResolvedRule } from '../compile/resolved.ts'
import { equal } from '../values/compare.ts'
import { isComposite, type Value } from '../values/value.ts'
import type { Next } from './closure.ts'
import { type RuleIndex, ruleIndex } from './ruleIndex.ts'

/** The closures of a rule. */
export type Code = {
  readonly slots: number
  /** What its evaluation takes of the stack, in bytes. */
  readonly weight: number
  readonly branches: readonly Next[]
  readonly isLight: boolean
}

/** A rule whose closures are made when it is first tried: an index may leave most of them out. */
export class CompiledRule {
  readonly rule: ResolvedRule
  private readonly make: (rule: ResolvedRule) => Code
  private made: Code | undefined

  constructor(rule: ResolvedRule, make: (rule: ResolvedRule) => Code) {
    this.rule = rule
    this.make = make
  }

  get code(): Code {
    this.made ??= this.make(this.rule)
    return this.made
  }
}

/** A function of more rules than this is worth a memo, however simple they are. */
const FEW = 8

/** All rules of a node. */
export class CompiledNode {
  readonly rules: readonly CompiledRule[]
  readonly default: CompiledRule | undefined
  /** All rules have this one value: the first that holds decides. */
  readonly constant: Value | undefined
  readonly index: RuleIndex<CompiledRule> | undefined
  private light: boolean | undefined

  constructor(
    rules: readonly CompiledRule[],
    defaultRule: CompiledRule | undefined,
    isIndexed: boolean,
  ) {
    this.rules = rules
    this.default = defaultRule
    this.constant = constantOf(rules)
    this.index = isIndexed ? ruleIndex(rules) : undefined
  }

  /** A function that is as quick as the look into a memo would be. */
  get isLight(): boolean {
    this.light ??= this.rules.length < FEW && this.rules.every((rule) => rule.code.isLight)
    return this.light
  }
}

/** The value that all branches of all rules have, where it is a scalar in the text. */
const constantOf = (rules: readonly CompiledRule[]): Value | undefined => {
  let constant: Value | undefined
  for (const { rule } of rules) {
    if (rule.rest.length > 0) return undefined
    for (const { value } of rule.branches) {
      if (value?.kind !== 'scalar' || isComposite(value.value)) return undefined
      if (constant !== undefined && !equal(constant, value.value)) return undefined
      constant = value.value
    }
  }
  return constant
}
