import type { ResolvedRule } from '../../compile/resolved.ts'
import type { Body, Term } from '../../syntax/ast.ts'
import type { Span } from '../../syntax/source.ts'
import type { LintFault, LintRule } from '../lintRule.ts'
import { ALLOWING, nameOf } from '../ruleNames.ts'

export const defaultAllow: LintRule = {
  id: 'default-allow',
  title: 'a decision that is true by default or without a condition',
  why: `A decision that starts as true is allowed whenever no rule says otherwise: when an input is missing, a
parameter has another name, or an oracle failed, because a condition that is undefined does not hold. Start
with false, and list what must hold.`,
  bad: ['package policy\n\ndefault allow := true\n\nallow := false if input.value > 100'],
  good: ['package policy\n\ndefault allow := false\n\nallow if input.value <= 100'],
  check: ({ policies }) => policies.flatMap(faultsOf),
}

function faultsOf(rule: ResolvedRule): readonly LintFault[] {
  const name = nameOf(rule)
  if (!ALLOWING.has(name) || rule.args !== undefined) return []
  // An entry of an object is no decision.
  if (rule.rule.head.ref.path.length > 0) return []
  const { rule: written, isDefault, span } = rule
  const fault = (at: Span, how: string): LintFault => ({
    span: at,
    message: `${name} is true ${how}`,
    help: `write \`default ${name} := false\`, and make ${name} true under conditions`,
  })
  if (isDefault) return isTrue(written.head.value) ? [fault(span, 'by default')] : []
  const last = written.elses.at(-1)
  const { value, body, span: at } = last ?? { value: written.head.value, body: written.body, span }
  if (!isTrue(value) || !isAlways(body)) return []
  return [fault(at, last === undefined ? 'without a condition' : 'if nothing else holds')]
}

const isTrue = (term: Term | undefined): boolean => term?.kind === 'scalar' && term.value === true

/** No body, or `true`. */
const isAlways = (body: Body): boolean =>
  body.every(
    (literal) =>
      literal.kind === 'term' &&
      !literal.negated &&
      literal.term.kind === 'scalar' &&
      literal.term.value !== false,
  )
