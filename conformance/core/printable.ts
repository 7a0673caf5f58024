/** Characters that change the text direction, and with it how a line reads. */
const turns = (code: number) =>
  (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)

/** Line breaks that no terminal shows as one, lone surrogates, and the byte order mark. */
const unshown = (code: number) =>
  code === 0x2028 || code === 0x2029 || code === 0xfeff || (code >= 0xd800 && code <= 0xdfff)

/**
 * Escapes text of a target, which must not control a terminal or a page: control characters,
 * direction marks and lone surrogates are shown as their codes. Also `##[`, which a workflow runner
 * takes for a command anywhere in a line.
 */
export function printable(text: string): string {
  let shown = ''
  for (const letter of text) {
    const code = letter.codePointAt(0)!
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0) || turns(code) || unshown(code)
    shown += control ? `\\u${code.toString(16).padStart(4, '0')}` : letter
  }
  return shown.replaceAll('##[', '#\\u0023[')
}
