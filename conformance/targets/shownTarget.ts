import { stringify } from 'yaml'
import { type KeyName, keyVariable } from '../core/exchange.ts'
import type { Target } from '../core/target.ts'
import { redactor } from '../wire/redact.ts'
import { secretsOf } from './target.ts'

/** The resolved target in the format of a target file, with variables instead of secrets. */
export function shownTarget(target: Target, form: 'yaml' | 'json'): string {
  const { name, reference: _, ...rest } = target
  // A secret may be part of a value, such as the API key in a node's URL.
  const variables = redactor(
    Object.fromEntries(
      Object.entries(secretsOf(target)).map(([variable, value]) => [`{${variable}}`, value]),
    ),
  )
  const shown = JSON.parse(
    JSON.stringify(
      {
        name,
        ...rest,
        keys: Object.fromEntries(
          Object.keys(target.keys).map((key) => [key, `\${${keyVariable(key as KeyName)}}`]),
        ),
      },
      (_name, value) => (typeof value === 'string' ? variables(value) : value),
    ),
  ) as object
  return form === 'json' ? `${JSON.stringify(shown, null, 2)}\n` : stringify(shown)
}
