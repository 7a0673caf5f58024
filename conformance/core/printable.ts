/**
 * What must not control a terminal or a page, besides control characters: characters that change the
 * direction of a text and with it how a line reads, line breaks that no terminal shows as one, the
 * byte order mark, lone surrogates (\p{Cs}: pairs are one character with the flag `u`).
 */
const others = String.raw`\p{Cs}\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}`
const controls = new RegExp(String.raw`[\p{Cc}${others}]`, 'gu')
/** All but the line break: in ranges, as excluding it from \p{Cc} makes the search slow. */
export const controlsInLines = new RegExp(String.raw`[\0-\t\v-\x1f\x7f-\x9f${others}]`, 'gu')
const code = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Escapes text of a target: what must not control a terminal or a page is shown as its code. Also
 * `##[`, which a workflow runner takes for a command anywhere in a line.
 */
export const printable = (text: string): string => escapedIn(text, controls)

/** The same for a text of several lines, whose line breaks stay. */
export const printableLines = (text: string): string => escapedIn(text, controlsInLines)

const escapedIn = (text: string, characters: RegExp) =>
  text.replace(characters, code).replaceAll('##[', '#\\u0023[')
