import type { DocNode } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import type { Branch, ResolvedRule } from '../compile/resolved.ts'
import { type IntentFlow, joinedIntent, NO_INTENT, withoutEmpty } from './intentFlow.ts'
import { type NodeFlow, RuleIntentFlows } from './ruleIntentFlows.ts'
import { DENYING, nameOf } from './ruleNames.ts'

/**
 * Which members of the intent the documents of a program depend on: through variables, rules, functions and
 * conditions. The text of a deny reason is no dependency: what counts is whether there is one.
 */
export class IntentFlows {
  private readonly nodes = new Map<DocNode, NodeFlow>()

  constructor(program: Program) {
    // Each node follows those that it depends on.
    for (const node of program.sorted) this.nodes.set(node, flowOfNode(program, this.nodes, node))
  }

  of(node: DocNode): IntentFlow {
    return this.nodes.get(node)?.value ?? NO_INTENT
  }
}

function flowOfNode(
  program: Program,
  nodes: ReadonlyMap<DocNode, NodeFlow>,
  { kind, rules }: DocNode,
): NodeFlow {
  const branches = rules.flatMap((rule) =>
    rule.branches.map((branch) =>
      flowOfBranch(new RuleIntentFlows(program, nodes, rule), rule, branch),
    ),
  )
  const exists = joinedIntent(branches.map((each) => each.exists))
  const value = joinedIntent(branches.map((each) => each.value))
  const isReasons = kind === 'set' && rules.some((rule) => DENYING.has(nameOf(rule)))
  if (isReasons) return { exists, value: exists }
  const all = { exists, value }
  // What one of several alternatives requires is not required.
  if (kind === 'set' || branches.length <= 1) return all
  return { exists: withoutEmpty(all.exists), value: withoutEmpty(all.value) }
}

function flowOfBranch(flows: RuleIntentFlows, rule: ResolvedRule, branch: Branch): NodeFlow {
  const { member, value, body } = branch
  const conditions = flows.conditions(body)
  // A reason with two conditions is not there if either does not hold.
  const isWeak = DENYING.has(nameOf(rule)) && conditions.length > 1
  const all = joinedIntent(conditions)
  const exists = isWeak ? withoutEmpty(all) : all
  const terms = [...rule.rest, member, value].filter((term) => term !== undefined)
  return { exists, value: joinedIntent([exists, ...terms.map((term) => flows.term(term))]) }
}
