import type { Module, Rule } from '../syntax/ast.ts'
import { moduleJson } from '../syntax/astJson.ts'
import { compareText, importKey, keptImports } from './imports.ts'

/** `p = 1` is written as `p := 1`, which is the same in a head. */
const withoutOperators = (rule: Rule): Rule => ({
  ...rule,
  head: { ...rule.head, assign: undefined },
  elses: rule.elses.map((branch) => ({ ...branch, assign: undefined })),
})

/**
 * Everything that formatting must not change: the syntax tree without its imports' order and the
 * operators of heads, the comments but for trailing space, and which statement a `# METADATA` block
 * belongs to.
 */
export function fingerprint(module: Module): string {
  const { imports, rules, comments, annotations } = module
  const tree = moduleJson({
    ...module,
    imports: [],
    rules: rules.map(withoutOperators),
    comments: [],
  })
  return JSON.stringify(
    {
      tree,
      imports: keptImports(imports).map(importKey).sort(compareText),
      comments: comments.map(({ text }) => text.trimEnd()).sort(compareText),
      annotations: annotations.map(({ yaml, target }) => [
        yaml.replace(/[^\S\n]+$/gm, ''),
        target === undefined || target.kind !== 'rule' ? target?.kind : rules.indexOf(target),
      ]),
    },
    (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
  )
}
