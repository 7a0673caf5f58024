/** The value of a JSON text; the text itself if it is none, and null without one. */
export function jsonOrText(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return text
  }
}
