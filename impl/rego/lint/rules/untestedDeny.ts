import type { ResolvedRule } from '../../compile/resolved.ts'
import type { LintContext, LintFault, LintRule } from '../lintRule.ts'
import { eachTerm } from '../literals.ts'
import { readsOf } from '../reads.ts'
import { DENYING, nameOf, packageOf } from '../ruleNames.ts'

/** A test that compares with at least this share of a reason's text names it. */
const SMALLEST_PART = 0.5

export const untestedDeny: LintRule = {
  id: 'untested-deny',
  title: 'a deny rule without a test',
  why: `A deny rule that never holds, because of a typing error or a value of another type, looks like one that was
never needed: the policy allows. Only a test in which the rule must hold shows that it can. A test names the
reason: \`policy.deny == {"..."}\`, or \`"..." in policy.deny\`.`,
  bad: [
    'package policy\n\ndeny contains "value is too high" if input.value > 100',
    `package policy_test

import data.policy

test_clean if count(policy.deny) == 0 with input as {"value": 1}`,
  ],
  good: [
    'package policy\n\ndeny contains "value is too high" if input.value > 100',
    `package policy_test

import data.policy

test_value if policy.deny == {"value is too high"} with input as {"value": 101}`,
  ],
  check: untestedDenials,
}

function untestedDenials({ program, policies, tests }: LintContext): readonly LintFault[] {
  const reads = readsOf(program.tree, tests).map(({ path }) => `data.${path.join('.')}`)
  const texts = textsIn(tests)
  const faults: LintFault[] = []
  const without = new Map<string, ResolvedRule[]>()
  for (const rule of policies) {
    const name = nameOf(rule)
    if (!DENYING.has(name) || rule.isDefault || rule.args !== undefined) continue
    const pkg = packageOf(rule)
    const document = `${pkg}.${name}`
    if (!reads.some((read) => read === document || read.startsWith(`${document}.`))) {
      without.set(document, [...(without.get(document) ?? []), rule])
      continue
    }
    const reason = reasonOf(rule)
    if (reason === undefined || texts.some((text) => isNamed(reason, text))) continue
    faults.push({
      span: rule.span,
      message: `no test expects the reason ${JSON.stringify(reason)} of ${document}`,
      help: `add a test in which this rule holds: \`test_... if ${JSON.stringify(reason)} in ${document} with input as {...}\``,
    })
  }
  for (const [document, rules] of without) {
    const [rule] = rules
    const count = rules.length === 1 ? 'its rule is' : `its ${rules.length} rules are`
    faults.push({
      span: rule?.span,
      message: `no test reads ${document}: ${count} untested`,
      help: 'add tests in files named ..._test.rego, one for each rule, and pass them with the policy',
    })
  }
  return faults
}

/** The reason that a rule adds, if it is constant. */
function reasonOf({ rule: { head } }: ResolvedRule): string | undefined {
  const { member } = head
  return member?.kind === 'scalar' && typeof member.value === 'string' ? member.value : undefined
}

const isNamed = (reason: string, text: string): boolean =>
  text === reason || (text.length >= reason.length * SMALLEST_PART && reason.includes(text))

function textsIn(rules: readonly ResolvedRule[]): readonly string[] {
  const texts = new Set<string>()
  for (const rule of rules) {
    eachTerm(rule, (term) => {
      if (term.kind === 'scalar' && typeof term.value === 'string') texts.add(term.value)
    })
  }
  return [...texts]
}
