import type { Row } from '../engine.ts'
import type { RegoError } from '../errors.ts'
import { stringify } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import type { Value } from '../values/value.ts'

/**
 * The result of a query in the JSON format of OPA's command line: `{"result": [{"expressions":
 * [...], "bindings": {...}}]}`, or `{}` if undefined. Integers are exact.
 */
export function answerJson(
  rows: readonly Row[],
  sections: Readonly<Record<string, Value>> = {},
): string {
  const members: string[] = []
  if (rows.length > 0) members.push(`"result":[${rows.map(rowJson).join()}]`)
  for (const [name, value] of Object.entries(sections)) {
    members.push(`${JSON.stringify(name)}:${stringify(value)}`)
  }
  return indentJson(`{${members.join()}}`)
}

function rowJson({ bindings, expressions }: Row): string {
  const parts = expressions.map(({ value, text, location: { row, col } }) => {
    const location = `{"row":${row},"col":${col}}`
    return `{"value":${stringify(value)},"text":${JSON.stringify(text)},"location":${location}}`
  })
  const bound = bindings.size === 0 ? '' : `,"bindings":${stringify(RegoObject.from(bindings))}`
  return `{"expressions":[${parts.join()}]${bound}}`
}

/** Errors in the JSON format of OPA's command line. */
export const errorsJson = (errors: readonly RegoError[]): string =>
  indentJson(
    JSON.stringify({
      errors: errors.map(({ message, code, location }) => ({ message, code, location })),
    }),
  )

/** Indents JSON text; numbers and strings are unchanged. */
export function indentJson(text: string): string {
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
