/**
 * What the source of an oracle reads, by its text. It is a guess for stubs, which the author reviews: nothing depends on
 * its being complete.
 */

const comments = /\/\*[\s\S]*?(?:\*\/|$)|(?<=^|\s)\/\/[^\n]*/g
const importsSecrets = /['"][a-z][\w-]*:[a-z][\w-]*\/secrets(?:@[\w.-]+)?['"]/
const upperName = /(?:['"]|\.\s?|[{,]\s?)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g

/** A comment without an end reaches to the end: a pattern that fails there would start again at each of its lines. */
export const withoutComments = (source: string): string => source.replaceAll(comments, '')

/** Names of secrets, `API_KEY`; undefined for a source that reads no secrets. */
export function secretsIn(source: string): readonly string[] | undefined {
  const code = withoutComments(source)
  if (!importsSecrets.test(code)) return undefined
  return [...new Set([...code.matchAll(upperName)].map(([, name]) => name!))]
}

const parsedInput = /JSON\.parse\((\w{1,60})\)/g
const names = /^\s?(\w{1,60})\s?(?:[:=,]|$)/

/** Members of the arguments: those that are taken from `JSON.parse(input)`, also by a function that gets it. */
export function argumentsIn(source: string): readonly string[] {
  const code = withoutComments(source)
  const input = /\brun\s{0,3}(?:=\s{0,3}(?:async\s{0,3})?)?\(\s{0,3}(\w{1,60})/.exec(code)?.[1]
  if (input === undefined) return []
  const found = new Set<string>()
  const destructured = (text: string) => {
    for (const part of text.split(',')) {
      const name = names.exec(part.trim())?.[1]
      if (name !== undefined) found.add(name)
    }
  }
  for (const match of code.matchAll(parsedInput)) {
    if (match[1] !== input) continue
    const before = code.slice(Math.max(0, match.index - 500), match.index)
    const after = code.slice(match.index + match[0].length, match.index + match[0].length + 100)
    const pattern = /\{([^{}]{0,400})\}\s{0,3}=\s{0,3}$/.exec(before)?.[1]
    const member = /^\.(\w{1,60})/.exec(after)?.[1]
    const variable = /\b(?:const|let|var)\s{1,3}(\w{1,60})\s{0,3}=\s{0,3}$/.exec(before)?.[1]
    const callee = /\b(\w{1,60})\($/.exec(before)?.[1]
    if (pattern !== undefined) destructured(pattern)
    if (member !== undefined) found.add(member)
    if (variable !== undefined)
      for (const [, name] of code.matchAll(new RegExp(`\\b${variable}\\??\\.(\\w{1,60})`, 'g')))
        found.add(name!)
    if (callee !== undefined) {
      const given = new RegExp(
        `\\bfunction\\s{1,3}${callee}\\s{0,3}\\(\\s{0,3}\\{([^{}]{0,400})\\}`,
      ).exec(code)
      if (given !== null) destructured(given[1]!)
    }
  }
  return [...found]
}
