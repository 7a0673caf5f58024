/** A member of a JSON object: its name, and the text of its value as it is written. */
export type MemberText = readonly [name: string, text: string]

/**
 * The members of a JSON object with the texts of their values, whose digits stay exact; undefined if
 * it is not an object.
 */
export function memberTexts(json: string): readonly MemberText[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  } catch {
    return undefined
  }
  const members: MemberText[] = []
  // Valid JSON: only strings and nesting hide a comma or a colon.
  let depth = 0
  let from = 0
  let name: string | undefined
  const end = (at: number) => {
    if (name !== undefined) members.push([name, json.slice(from, at).trim()])
    name = undefined
    from = at + 1
  }
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at]
    if (char === '"') {
      for (at += 1; json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1
    } else if (char === '{' || char === '[') {
      depth += 1
      if (depth === 1) from = at + 1
    } else if (char === '}' || char === ']') {
      depth -= 1
      if (depth === 0) end(at)
    } else if (depth === 1 && char === ':') {
      name = JSON.parse(json.slice(from, at).trim()) as string
      from = at + 1
    } else if (depth === 1 && char === ',') end(at)
  }
  // Of a repeated name the last one counts.
  return [...new Map(members)]
}

/** The JSON object of some members, in their order. */
export const textOfMembers = (members: readonly MemberText[]): string =>
  members.length === 0
    ? '{}'
    : `{\n${members.map(([name, text]) => `  ${JSON.stringify(name)}: ${text}`).join(',\n')}\n}`

/** A member replaced, added, or, without a text, removed. */
export function withMember(
  members: readonly MemberText[],
  name: string,
  text: string | undefined,
): readonly MemberText[] {
  const others = members.filter(([each]) => each !== name)
  if (text === undefined) return others
  if (others.length === members.length) return [...members, [name, text]]
  return members.map((each) => (each[0] === name ? [name, text] : each))
}
