import type { ResolvedRule } from '../compile/resolved.ts'
import { equal } from '../values/compare.ts'
import { isComposite, type Value } from '../values/value.ts'
import type { Next } from './closure.ts'
import { type RuleIndex, ruleIndex } from './ruleIndex.ts'

/** The closures of a rule. */
export type Code = {
  readonly slots: number
  /** Stack usage of its evaluation in bytes. */
  readonly weight: number
  readonly branches: readonly Next[]
  readonly isLight: boolean
}

/** A rule whose closures are built on first use: an index may skip most rules. */
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

/** Functions with more rules than this are memoized, however simple they are. */
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

  /** Whether a function is as fast as a memo lookup. */
  get isLight(): boolean {
    this.light ??= this.rules.length < FEW && this.rules.every((rule) => rule.code.isLight)
    return this.light
  }
}

/** The value of all branches of all rules, if it is a scalar constant. */
function constantOf(rules: readonly CompiledRule[]): Value | undefined {
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
