/** A decoded value as JSON: integers beyond the safe ones as decimal text. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
      ? Number(value)
      : String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
  return value
}
