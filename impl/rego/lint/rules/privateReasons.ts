import type { ResolvedRule } from '../../compile/resolved.ts'
import { toldSources } from '../flow.ts'
import type { LintContext, LintFault, LintRule } from '../lintRule.ts'
import { PrivateFlows } from '../privateFlows.ts'
import { ALLOWING, DENYING, nameOf, packageOf } from '../ruleNames.ts'

/** Results of policies: what they decide, and why. */
const REASONS: ReadonlySet<string> = new Set(['reason', 'reasons', 'result'])

export const privateReasons: LintRule = {
  id: 'private-reason',
  title: 'a reason or a result that tells private data',
  why: `Operators open identity, confidential and ephemeral data for one evaluation and wipe them. The result of the
policy and the reasons of its deny rules are stored, sent to callers and webhooks, and shown by the explorer. A value
in them that is derived from private data is no longer private. That a rule holds tells no more than the decision.`,
  bad: [
    `package policy

deny contains msg if {
	country := service.identity.get("address_country_code")
	country in data.params.blocked
	msg := sprintf("residents of %s are not served", [country])
}`,
  ],
  good: [
    `package policy

deny contains "country of residence is not served" if {
	country := service.identity.get("address_country_code")
	country in data.params.blocked
}`,
  ],
  check: tellingRules,
}

function tellingRules({ program, policies }: LintContext): readonly LintFault[] {
  const rules = policies.filter(isResult)
  if (rules.length === 0) return []
  const flows = new PrivateFlows(program)
  return rules.flatMap((rule) => {
    const what = DENYING.has(nameOf(rule)) ? 'a reason' : 'the value'
    const document = `${packageOf(rule)}.${nameOf(rule)}`
    return flows.outputs(rule).flatMap(({ term, flow }) => {
      const sources = toldSources(flow)
      if (sources.length === 0) return []
      return [
        {
          span: term.span,
          message: `${what} of ${document} is derived from private data: ${sources.join(', ')}`,
          help: 'write a constant text: reasons and results are stored, sent and published',
        },
      ]
    })
  })
}

function isResult(rule: ResolvedRule): boolean {
  const name = nameOf(rule)
  if (rule.args !== undefined) return false
  return DENYING.has(name) || ALLOWING.has(name) || REASONS.has(name)
}
