import { stringify } from 'yaml'
import { type KeyName, keyVariable } from '../core/exchange.ts'
import type { Target } from '../core/target.ts'
import { redactor } from '../wire/redact.ts'
import { secretsOf } from './target.ts'

/** What is known of a target, as its file would say it: variables stand where secrets are. */
export const shownTarget = (target: Target, form: 'yaml' | 'json'): string => {
  const { name, reference: _, ...rest } = target
  // A secret may be a part of a value, such as the key in the address of a node.
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
