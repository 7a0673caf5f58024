import { parseExact } from 'polgate-protocol/exactJson.ts'

/** The value of a JSON text; the text itself if it is none, and null without one. */
export const jsonOrText = (text: string | undefined): unknown => parsedOr(JSON.parse, text)

/** The same with every digit of large integers. */
export const exactJsonOrText = (text: string | undefined): unknown => parsedOr(parseExact, text)

function parsedOr(parse: (text: string) => unknown, text: string | undefined): unknown {
  try {
    return text === undefined ? null : parse(text)
  } catch {
    return text
  }
}
