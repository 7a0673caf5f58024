import { formatModule } from '../format/formatModule.ts'
import { Source } from '../syntax/source.ts'

/**
 * Formats the text of a module in the style of `opa fmt` 1.2: with the same syntax tree and comments.
 * `file` is its name in errors.
 *
 * @throws RegoError `rego_parse_error` if the text is no module; `eval_internal_error` if it cannot be
 *   written without a change of its meaning
 */
export const format = (source: string, file = 'policy.rego'): string =>
  formatModule(new Source(file, source))
