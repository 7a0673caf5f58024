import { type DocNode, descendants } from '../compile/documents.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import { RegoError } from '../errors.ts'
import { isComposite, isObject, type Value } from '../values/value.ts'

/**
 * A base document may be beside rules, but not at the path of one, where either could be meant.
 *
 * @throws RegoError `rego_compile_error` as OPA
 */
export function checkBaseDocument(node: DocNode, base: Value): void {
  const isObj = isComposite(base) && isObject(base)
  // A value that is not an object conflicts with every rule below its path.
  const rule = isObj ? ownRule(node) : ruleBelow(node)
  if (rule !== undefined) {
    const message = `conflicting rule for data path ${rule.path.map(String).join('/')} found`
    throw new RegoError('rego_compile_error', message, { location: rule.span.location })
  }
  if (!isObj) return
  for (const [key, child] of node.children) {
    const member = typeof key === 'string' ? base.get(key) : undefined
    if (member !== undefined) checkBaseDocument(child, member)
  }
}

const ownRule = (node: DocNode): ResolvedRule | undefined => node.rules[0] ?? node.default

function ruleBelow(node: DocNode): ResolvedRule | undefined {
  let first: ResolvedRule | undefined
  descendants(node, (each) => {
    first ??= ownRule(each)
  })
  return first
}
