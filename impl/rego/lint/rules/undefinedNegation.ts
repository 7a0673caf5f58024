import { negatedOperands } from '../../compile/negatedOperands.ts'
import type { ResolvedRule } from '../../compile/resolved.ts'
import { isRootVar, walkTerm } from '../../compile/visit.ts'
import { isWildcard, type Literal, type Var, writtenName } from '../../syntax/ast.ts'
import { mayBeUndefined } from '../defined.ts'
import type { LintContext, LintFault, LintRule } from '../lintRule.ts'
import { eachLiteral, eachTerm, termsOf } from '../literals.ts'

/** A rule of its own for what is negated, and the literal that negates it: both engines agree on it. */
export type AgreedForm = { readonly rule: string; readonly literal: string }

export const undefinedNegation: LintRule = {
  id: 'undefined-negation',
  title: '`not` before an expression with an operand that may be undefined',
  why: `When an operand is undefined, the negated expression holds in the service and in engine 0.9: what does not
hold is not true. OPA 1.2 evaluates the operands before the negation, so that the whole body is
undefined there. A policy that was tested with one of them decides otherwise in the other, and where the
body is that of a deny rule, a missing deny is an allow. On a rule of its own, which is undefined where
its operand is, all of them agree.`,
  bad: [
    `package policy

default allow := false

allow if count(deny) == 0

deny contains "image is not from the registry" if not startswith(input.image, "registry/")`,
  ],
  good: [
    `package policy

default allow := false

allow if count(deny) == 0

deny contains "image is not from the registry" if not from_registry

from_registry if startswith(input.image, "registry/")`,
  ],
  check: (context) => undefinedNegations(context),
}

/** Also for the warnings of test runs. */
export function undefinedNegations({
  program,
  policies,
  tests,
}: Pick<LintContext, 'program' | 'policies' | 'tests'>): readonly LintFault[] {
  const { tree } = program
  const faults: LintFault[] = []
  for (const rule of [...policies, ...tests]) {
    eachLiteral(rule, (literal) => {
      if (!literal.negated) return
      for (const operand of negatedOperands(literal)) {
        const found = mayBeUndefined(tree, operand)
        if (found === undefined) continue
        const text = oneLine(literal.span.text)
        const form = agreedForm(rule, literal, namesOf(rule))
        faults.push({
          span: literal.span,
          message: `\`${text}\` is true if ${oneLine(found.span.text)} is undefined, but undefined in OPA 1.2`,
          help: `write a rule of its own, on which both agree: \`${form.rule}\`, and here \`${form.literal}\``,
        })
        return
      }
    })
  }
  return faults
}

/** The names of a module's rules. */
const namesOf = ({ module }: ResolvedRule): ReadonlySet<string> =>
  new Set(
    module.rules.flatMap(({ head: { ref } }) => (ref.head.kind === 'var' ? [ref.head.name] : [])),
  )

/** Replaces a negated literal. @param taken names that the new rule must not have */
export function agreedForm(
  rule: ResolvedRule,
  literal: Literal,
  taken: ReadonlySet<string>,
): AgreedForm {
  const locals = sharedLocals(rule, literal)
  let name = 'holds'
  for (let i = 2; taken.has(name); i++) name = `holds_${i}`
  const call = locals.length === 0 ? name : `${name}(${locals.join(', ')})`
  const { text } = literal.span
  const [first] = literal.withs
  const end = first === undefined ? text.length : first.span.start - literal.span.start
  const expression = oneLine(text.slice(0, end).replace(/^not\b\s*/, ''))
  const withs = first === undefined ? '' : ` ${oneLine(text.slice(end))}`
  return { rule: `${call} if ${expression}`, literal: `not ${call}${withs}` }
}

/** The variables of a literal that the rest of the rule has as well, as written. */
function sharedLocals(rule: ResolvedRule, literal: Literal): readonly string[] {
  const own = new Map<string, Var>()
  for (const term of termsOf({ ...literal, withs: [] })) {
    walkTerm(term, (each) => {
      if (each.kind === 'var' && !isRootVar(each) && !isWildcard(each.name))
        own.set(each.name, each)
      return true
    })
  }
  const { start, end } = literal.span
  const elsewhere = new Set((rule.args ?? []).map(({ name }) => name))
  eachTerm(rule, (term) => {
    const isOutside = term.span.start < start || term.span.start >= end
    if (term.kind === 'var' && isOutside) elsewhere.add(term.name)
  })
  return [...own.values()].filter(({ name }) => elsewhere.has(name)).map(writtenName)
}

/** Joined lines, without the comments at their ends. */
const oneLine = (text: string): string => text.replace(/\s*(?:#[^\n]*)?\n\s*/g, ' ').trim()
