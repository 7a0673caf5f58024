import { RegoError } from '../errors.ts'
import type { DocNode, DocTree } from './documents.ts'
import { descendants } from './documents.ts'
import { kindOf, pathText, type ResolvedRule, ruleText } from './resolved.ts'
import type { Stages } from './stages.ts'

/**
 * Rules of one path must be of one kind, with one arity and one default; a rule with a value cannot
 * have rules below it.
 *
 * @throws RegoError `rego_type_error`
 */
export function checkConflicts(
  tree: DocTree,
  rules: readonly ResolvedRule[],
  stages: Stages,
): void {
  const byNode = new Map<DocNode, ResolvedRule[]>()
  for (const rule of rules) {
    const node = tree.grow(rule.path)
    const same = byNode.get(node)
    if (same === undefined) byNode.set(node, [rule])
    else same.push(rule)
  }
  for (const [node, same] of byNode) stages.part(() => checkNode(node, same))
}

function fail(message: string, rule: ResolvedRule): never {
  throw new RegoError('rego_type_error', message, { location: rule.span.location })
}

function checkNode(node: DocNode, rules: readonly ResolvedRule[]): void {
  const first = rules[0] as ResolvedRule
  for (const rule of rules) {
    const arity = rule.args?.length
    // Of rules with variables in their names, all have values or all have members.
    const isOther = (rule.rule.head.member === undefined) !== (first.rule.head.member === undefined)
    if (kindOf(rule) !== kindOf(first) || arity !== first.args?.length || isOther) {
      fail(`conflicting rules ${pathText(node.path)} found`, first)
    }
  }
  const defaults = rules.filter((rule) => rule.isDefault)
  const [one, two] = defaults
  if (two !== undefined) {
    const places = defaults.map(({ span }) => `${span.location.file}:${span.location.row}`)
    fail(
      `multiple default rules ${pathText(node.path)} found at ${places.join(', ')}`,
      one as ResolvedRule,
    )
  }
  if (node.isPackage && node.kind !== 'object') {
    const { file, row } = first.span.location
    fail(
      `package ${pathText(node.path).slice(5)} conflicts with rule ${ruleText(first)} defined at ${file}:${row}`,
      first,
    )
  }
  if (node.children.size > 0 && node.kind !== 'object') {
    const below: string[] = []
    descendants(node, (other) => {
      if (other !== node) for (const rule of other.rules) below.push(ruleText(rule))
    })
    fail(`rule ${pathText(node.path)} conflicts with [${below.join(' ')}]`, first)
  }
}
