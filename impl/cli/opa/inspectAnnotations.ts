import { byName } from 'polgate-rego/builtins/core.ts'
import { type Annotation, annotationsIn } from 'polgate-rego/compile/metadata.ts'
import { yaml } from 'polgate-rego/groups/yaml.ts'
import type { Module } from 'polgate-rego/syntax/ast.ts'
import { toJson } from 'polgate-rego/values/json.ts'

/** An annotation in the format of `opa inspect`. */
export type ShownAnnotation = {
  readonly location: { readonly file: string; readonly row: number; readonly col: number }
  readonly path: readonly unknown[]
  readonly annotations: unknown
}

/** The annotations of modules, in the order of their texts. @throws RegoError for a malformed one */
export async function annotationsOf(
  modules: readonly Module[],
): Promise<readonly ShownAnnotation[]> {
  const read = byName(yaml).get('rego.metadata.rule')?.readAnnotations
  if (read === undefined) return []
  return annotationsIn(modules, read).map(shown)
}

function shown({ path, value, location: { file, row, col } }: Annotation): ShownAnnotation {
  const parts = path.map((part) => ({ type: 'string', value: toJson(part) }))
  return {
    annotations: toJson(value),
    location: { file, row, col },
    path: [{ type: 'var', value: 'data' }, ...parts],
  }
}
