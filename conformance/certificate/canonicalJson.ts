/**
 * JSON with members in code-unit order and no white space (RFC 8785, for values without fractions):
 * the same value always has the same bytes.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const object = value as Readonly<Record<string, unknown>>
    let members = ''
    for (const name of Object.keys(object).sort())
      if (object[name] !== undefined)
        members += `${members && ','}${JSON.stringify(name)}:${canonicalJson(object[name])}`
    return `{${members}}`
  }
  return JSON.stringify(value)
}
