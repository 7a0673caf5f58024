import type { DocNode } from '../../compile/documents.ts'
import type { Program } from '../../compile/program.ts'
import { readsIntent, restrictsTarget } from '../intentFlow.ts'
import { IntentFlows } from '../intentFlows.ts'
import type { LintContext, LintFault, LintRule } from '../lintRule.ts'
import { ALLOWING, isOfTests, nameOf, packageOf } from '../ruleNames.ts'

export const unrestrictedTarget: LintRule = {
  id: 'unrestricted-target',
  title: 'a decision that is the same for every target of a call',
  why: `The policy client calls \`input.to\` with \`input.data\`, as the sender of the call. A policy that limits the
value and the sender alone allows a call of any contract: of a token that the client holds, or of the policy itself.
Compare \`input.to\` with parameters, with the result of an oracle or with a list, or allow plain transfers alone:
\`input.data == "0x"\`. A restricted \`input.function\` is not enough: any contract may have a function of that name. The
text of a deny reason restricts nothing, and neither does a signature of the sender, who signs any call. A client may
restrict the target itself: \`client.restrictsTarget\` of policy.yaml says how.`,
  bad: [
    `package policy

default allow := false

allow if {
	input.from in data.params.senders
	input.value <= data.params.max_value
}`,
  ],
  good: [
    `package policy

default allow := false

allow if {
	input.from in data.params.senders
	input.value <= data.params.max_value
	input.to in data.params.recipients
}`,
  ],
  check: unrestricted,
}

function unrestricted(context: LintContext): readonly LintFault[] {
  const flows = new IntentFlows(context.program)
  return decisionsOf(context).flatMap((node) => {
    const flow = flows.of(node)
    if (restrictsTarget(flow)) return []
    // Policies of something else than intents have no target.
    if (context.entrypoint === undefined && !readsIntent(flow)) return []
    const [rule = node.default] = node.rules
    const name = node.path.join('.')
    return [
      {
        span: rule?.span,
        message: `data.${name} does not depend on input.to: a call of any contract may be allowed`,
        help: 'compare input.to with what is allowed, or require input.data == "0x"; a client that restricts its target itself says so with client.restrictsTarget in policy.yaml',
      },
    ]
  })
}

/** The entrypoint, or the rules that are named as decisions and that no other rule reads. */
function decisionsOf({ program, policies, entrypoint }: LintContext): readonly DocNode[] {
  const { nodes } = program.tree
  if (entrypoint !== undefined) {
    return nodes.filter(({ path, kind }) => kind !== undefined && path.join('.') === entrypoint)
  }
  const read = readNodes(program)
  return nodes.filter(
    (node) =>
      node.kind === 'complete' &&
      !read.has(node) &&
      node.rules.some((rule) => policies.includes(rule) && isDecision(rule, node)),
  )
}

const isDecision = (rule: DocNode['rules'][number], { path }: DocNode): boolean =>
  ALLOWING.has(nameOf(rule)) && `data.${path.join('.')}` === `${packageOf(rule)}.${nameOf(rule)}`

const readNodes = ({ reads }: Program): ReadonlySet<DocNode> =>
  new Set([...reads].flatMap(([rule, { nodes }]) => (isOfTests(rule) ? [] : [...nodes])))
