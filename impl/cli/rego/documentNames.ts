import type { Module } from 'polgate-rego/syntax/ast.ts'

/** The names that modules define: rules, functions and imports. */
export const documentNames = (modules: readonly Module[]): readonly string[] =>
  modules.flatMap(({ package: { path }, rules, imports }) => {
    const pkg = path.span.text
    return [
      ...rules.map(({ head }) => `data.${pkg}.${head.ref.span.text.replace(/\[.*/, '')}`),
      ...imports.map((each) => each.alias ?? String(each.path.span.text.split('.').at(-1))),
    ]
  })
