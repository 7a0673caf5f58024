import type { DocNode } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import { equal } from '../values/compare.ts'
import type { SetValue, Value } from '../values/value.ts'
import { Builder } from './build.ts'
import type { Next } from './closure.ts'
import { type Code, CompiledNode, CompiledRule } from './compiledRule.ts'
import { conflict } from './conflict.ts'
import { isLight } from './light.ts'
import { type BranchPlan, RESULT, type RulePlan } from './plan.ts'
import { Planner } from './planner.ts'
import { weightOf } from './stack.ts'
import { type Tracer, tracedBranch } from './tracer.ts'
import type { Tree } from './tree.ts'

export type MachineOptions = {
  readonly tracer?: Tracer | undefined
  readonly constantCall?: ((rule: ResolvedRule, name: string) => Value | undefined) | undefined
}

/** Plans rules and builds their closures on first use. */
export class RuleCompiler {
  readonly builder: Builder
  private readonly program: Program
  private readonly options: MachineOptions
  private readonly compiled = new Map<DocNode, CompiledNode>()

  constructor(program: Program, options: MachineOptions) {
    this.program = program
    this.options = options
    this.builder = new Builder(program, options.tracer)
  }

  planner(slots: number, rule?: ResolvedRule): Planner {
    const { tree, builtins, dialect } = this.program
    const { constantCall } = this.options
    return new Planner(
      rule === undefined || constantCall === undefined
        ? { tree, builtins, dialect }
        : { tree, builtins, dialect, constantCall: (name) => constantCall(rule, name) },
      slots,
    )
  }

  node(node: DocNode): CompiledNode {
    const known = this.compiled.get(node)
    if (known !== undefined) return known
    const { lazy } = this
    const compiled = new CompiledNode(
      node.rules.map(lazy),
      node.default === undefined ? undefined : lazy(node.default),
      // Tracers must see all rules.
      this.options.tracer === undefined,
    )
    this.compiled.set(node, compiled)
    return compiled
  }

  private readonly make = (rule: ResolvedRule): Code => this.compileRule(rule)

  private readonly lazy = (rule: ResolvedRule): CompiledRule => new CompiledRule(rule, this.make)

  plan(rule: ResolvedRule): RulePlan {
    const arity = rule.args?.length ?? 0
    const planner = this.planner(arity + 1, rule)
    const args = new Map<string, number>()
    rule.args?.forEach((arg, i) => {
      args.set(arg.name, i + 1)
    })
    const branches = rule.branches.map((branch): BranchPlan => {
      planner.begin(args)
      planner.body(branch.body)
      // In the order of `headTerms`.
      const rest = rule.rest.map((term) => planner.value(term))
      const member = branch.member === undefined ? undefined : planner.value(branch.member)
      const value = branch.value === undefined ? undefined : planner.value(branch.value)
      return { block: planner.finish(), value, member, rest }
    })
    return { rule, branches, slots: planner.slotCount }
  }

  private compileRule(rule: ResolvedRule): Code {
    const plan = this.plan(rule)
    const { tracer } = this.options
    const branches = plan.branches.map((branch, i) => {
      const run = this.builder.block(branch.block, this.head(rule, branch))
      return tracer === undefined ? run : tracedBranch(tracer, rule, i, run)
    })
    const weight = weightOf(plan.branches)
    return { slots: plan.slots, weight, branches, isLight: isLight(plan) }
  }

  private head(rule: ResolvedRule, branch: BranchPlan): Next {
    const { builder } = this
    if (branch.rest.length > 0) return this.dynamicHead(rule, branch)
    if (branch.member !== undefined) {
      const member = builder.expr(branch.member)
      return (c, f) => {
        const value = member(c, f)
        if (value === undefined) return false
        c.run.allocate(48)
        const set = f[RESULT] as SetValue
        set.add(value)
        return false
      }
    }
    const value = builder.expr(branch.value ?? { op: 'const', value: true })
    const constant = branch.value?.op === 'const'
    return (c, f) => {
      const found = value(c, f)
      if (found === undefined) return false
      const before = f[RESULT]
      if (before === undefined) f[RESULT] = found
      else if (!equal(before, found)) throw conflict(rule)
      return constant
    }
  }

  private dynamicHead(rule: ResolvedRule, branch: BranchPlan): Next {
    const keys = branch.rest.map((expr) => this.builder.expr(expr))
    const leaf = this.builder.expr(branch.member ?? branch.value ?? { op: 'const', value: true })
    const isSet = branch.member !== undefined
    const { span } = rule
    return (c, f) => {
      let tree = f[RESULT] as unknown as Tree
      const last = keys.length - 1
      const path: Value[] = []
      for (const key of keys) {
        const value = key(c, f)
        if (value === undefined) return false
        path.push(value)
      }
      const value = leaf(c, f)
      if (value === undefined) return false
      c.run.allocate(64 * keys.length)
      for (let i = 0; i < last; i++) tree = tree.child(path[i] as Value, span)
      if (isSet) tree.contain(path[last] as Value, value, span)
      else tree.insert(path[last] as Value, value, span)
      return false
    }
  }
}
