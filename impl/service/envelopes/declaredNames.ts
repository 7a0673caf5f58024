/**
 * All member names in `properties` and `required` of a JSON Schema, at any depth. Iterative,
 * because a schema may be nested as deeply as its size allows.
 */
export function declaredNames(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const todo: unknown[] = [schema]
  while (todo.length > 0) {
    const part = todo.pop()
    if (typeof part !== 'object' || part === null) continue
    const { properties, required } = part as Record<string, unknown>
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) names.add(name)
    if (Array.isArray(required))
      for (const name of required) if (typeof name === 'string') names.add(name)
    for (const child of Object.values(part)) todo.push(child)
  }
  return names
}
