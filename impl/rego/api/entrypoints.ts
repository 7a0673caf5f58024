import { annotationsIn } from '../compile/metadata.ts'
import { pathText } from '../compile/resolved.ts'
import { RegoError } from '../errors.ts'
import type { Scalar } from '../values/value.ts'
import type { Policy } from './policy.ts'

/**
 * The paths of what is annotated with `entrypoint: true`, sorted: each is a query. `evaluate` takes every other path as well.
 *
 * @throws RegoError for an annotation that is not valid, or a policy without the group `yaml`, which reads them
 */
export function entrypoints(policy: Policy): readonly string[] {
  const read = policy.builtins.get('rego.metadata.rule')?.readAnnotations
  if (read === undefined) {
    throw new RegoError(
      'eval_internal_error',
      "annotations are YAML: import { yaml } from 'polgate-rego/yaml' and pass builtins: [yaml] to compile",
    )
  }
  const annotated = annotationsIn(policy.engine.modules, read)
    .filter(({ value }) => value.get('entrypoint') === true)
    .map(({ path }) => pathText(path as readonly Scalar[]))
  return [...new Set(annotated)].sort()
}
