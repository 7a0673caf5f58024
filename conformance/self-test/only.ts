import { CannotRun } from 'polgate-conformance/core/conformanceError.ts'
import { nearest } from 'polgate-conformance/core/select.ts'

/**
 * Those whose id matches one of the patterns of `--only`; all of them without a pattern.
 *
 * @param kind of what is selected, in errors: `mutant`
 * @param hintFor what to do about a pattern that matches nothing, if there is something special
 * @throws CannotRun for a pattern that is no regular expression, or that matches nothing
 */
export function selectOnly<T extends { readonly id: string }>(
  all: readonly T[],
  patterns: readonly string[],
  kind: string,
  hintFor: (expression: RegExp) => string | undefined = () => undefined,
): readonly T[] {
  const ids = all.map(({ id }) => id)
  const expressions = patterns.map((pattern) => {
    let expression: RegExp
    try {
      expression = new RegExp(pattern)
    } catch (cause) {
      throw new CannotRun(`--only '${pattern}' is not a regular expression`, undefined, cause)
    }
    if (!ids.some((id) => expression.test(id)))
      throw new CannotRun(
        `--only '${pattern}' matches no ${kind}`,
        hintFor(expression) ?? `Did you mean '${nearest(pattern, ids)}'? List them with --list.`,
      )
    return expression
  })
  return all.filter(({ id }) => expressions.length === 0 || expressions.some((e) => e.test(id)))
}
