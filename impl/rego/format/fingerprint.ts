import type { Module } from '../syntax/ast.ts'
import { moduleJson } from '../syntax/astJson.ts'
import { compareText, importKey, keptImports } from './imports.ts'

/**
 * Everything that formatting must not change: the syntax tree without its imports' order, the comments
 * but for trailing space, and which statement a `# METADATA` block belongs to.
 */
export function fingerprint(module: Module): string {
  const { imports, rules, comments, annotations } = module
  const tree = moduleJson({ ...module, imports: [], comments: [] })
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
