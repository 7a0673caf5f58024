/** Marks that turn the direction of a line, and with it what a reader takes it to say. */
const turns = (code: number) =>
  (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)

/** Breaks of a line that no terminal shows as one, halves of a letter, and the invisible mark. */
const unshown = (code: number) =>
  code === 0x2028 || code === 0x2029 || code === 0xfeff || (code >= 0xd800 && code <= 0xdfff)

/**
 * What a target sent must not steer a terminal or the look of a page: control characters, marks of
 * direction and lone surrogates are shown as their codes. Nor a runner of workflows, which takes
 * `##[` for a command wherever in a line it stands.
 */
export const printable = (text: string): string => {
  let shown = ''
  for (const letter of text) {
    const code = letter.codePointAt(0)!
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0) || turns(code) || unshown(code)
    shown += control ? `\\u${code.toString(16).padStart(4, '0')}` : letter
  }
  return shown.replaceAll('##[', '#\\u0023[')
}
