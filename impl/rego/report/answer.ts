import type { Row } from '../engine.ts'
import type { RegoError } from '../errors.ts'
import { stringify } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import type { Value } from '../values/value.ts'

/**
 * The answer to a query as OPA's command line gives it: `{"result": [{"expressions": [...],
 * "bindings": {...}}]}`, and `{}` when it is undefined. JSON text, integers with all digits.
 */
export const answerJson = (
  rows: readonly Row[],
  sections: Readonly<Record<string, Value>> = {},
): string => {
  const members: string[] = []
  if (rows.length > 0) members.push(`"result":[${rows.map(rowJson).join()}]`)
  for (const [name, value] of Object.entries(sections)) {
    members.push(`${JSON.stringify(name)}:${stringify(value)}`)
  }
  return indentJson(`{${members.join()}}`)
}

const rowJson = ({ bindings, expressions }: Row): string => {
  const parts = expressions.map(({ value, text, location: { row, col } }) => {
    const location = `{"row":${row},"col":${col}}`
    return `{"value":${stringify(value)},"text":${JSON.stringify(text)},"location":${location}}`
  })
  const bound = bindings.size === 0 ? '' : `,"bindings":${stringify(RegoObject.from(bindings))}`
  return `{"expressions":[${parts.join()}]${bound}}`
}

/** Errors as OPA's command line gives them. */
export const errorsJson = (errors: readonly RegoError[]): string =>
  indentJson(
    JSON.stringify({
      errors: errors.map(({ message, code, location }) => ({ message, code, location })),
    }),
  )

/** JSON text with a member a line; numbers and strings stay as they are written. */
export const indentJson = (text: string): string => {
  let depth = 0
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]|[^"{}[\],:]+/g, (token) => {
    switch (token) {
      case '{':
      case '[':
        depth++
        return `${token}\n${'  '.repeat(depth)}`
      case '}':
      case ']':
        depth--
        return `\n${'  '.repeat(depth)}${token}`
      case ',':
        return `,\n${'  '.repeat(depth)}`
      case ':':
        return ': '
      default:
        return token
    }
  })
}
