import { decodeNested } from './decodeNested.ts'
import { encodeAs, formsOf } from './forms.ts'

/**
 * Name of the first secret in a text, in any encoding.
 *
 * @throws TooManyEncodings
 */
export function containsEncoded(
  text: string,
  secrets: readonly (readonly [name: string, value: string])[],
): string | undefined {
  if (secrets.length === 0) return undefined
  const outer = secrets.map(([name, value]) => ({
    name,
    texts: formsOf(value).map(([form]) => form),
  }))
  const inner = secrets.map(([name, value]) => ({
    name,
    texts: [value, encodeAs('latin1', value), encodeAs('raw-latin1', value)],
  }))
  let found: string | undefined
  decodeNested(text, (each) => {
    found ??= (each === text ? outer : inner).find(({ texts }) =>
      texts.some((form) => each.includes(form)),
    )?.name
  })
  return found
}
