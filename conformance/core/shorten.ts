/** Characters of a text that are kept at its start and at its end. */
export type Kept = { readonly head: number; readonly tail: number }

const bytesOf = (digits: number) => `${Math.ceil(digits / 2)} bytes`

/** A text with its middle replaced by what it was: the length of the whole. */
export function shorten(text: string, { head, tail }: Kept, length: string): string {
  const mark = `…(${length})…`
  return text.length <= head + tail + mark.length
    ? text
    : `${text.slice(0, head)}${mark}${text.slice(text.length - tail)}`
}

/** A word of hex or base64 of this length is not read: its ends identify it. */
const longestWord = 80
const wordEnds: Kept = { head: 20, tail: 12 }
const longWord = new RegExp(`(0x)?[0-9A-Za-z+/_=-]{${longestWord + 1},}`, 'g')

const isHex = (word: string) => /^(0x)?[0-9a-f]+$/i.test(word)

/** Long words of hex, base64 and ids, with head, tail and length; the text around them is kept. */
export const withShortWords = (text: string): string =>
  text.length <= longestWord
    ? text
    : text.replaceAll(longWord, (word) =>
        shorten(
          word,
          wordEnds,
          isHex(word) ? bytesOf(word.replace(/^0x/i, '').length) : `${word.length} characters`,
        ),
      )

/** Of a longer text only the ends are looked at: a target may answer with megabytes. */
const longestRead = 20_000
const readEnds: Kept = { head: longestRead / 2, tail: longestRead / 4 }

/** A text for a person: long words and the whole text with head, tail and length. */
export function readable(text: string, most: number): string {
  const read = text.length <= longestRead ? text : shorten(text, readEnds, 'more')
  const short = withShortWords(read)
  const tail = Math.floor(most / 4)
  return short.length <= most
    ? short
    : shorten(short, { head: most - tail - 30, tail }, `${text.length} characters`)
}

/** Characters before and after a difference that are shown with it. */
const around = 40

/** From where on two texts differ, and how much of their ends is the same. */
export function differenceOf(
  a: string,
  b: string,
): { readonly same: number; readonly tail: number } {
  const shorter = Math.min(a.length, b.length)
  let same = 0
  while (same < shorter && a[same] === b[same]) same++
  let tail = 0
  while (tail < shorter - same && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  return { same, tail }
}

/** The part of a text from shortly before position `from`, up to `most` characters, and its length. */
function windowAt(text: string, from: number, most: number): string {
  const start = Math.max(0, from - around)
  const part = text.slice(start, start + most)
  const rest = start + part.length < text.length ? '…' : ''
  return `${start > 0 ? '…' : ''}${part}${rest} (${text.length} characters)`
}

/**
 * Two different texts for a person, which stay different: where shortening would hide the
 * difference, the parts around it are shown.
 */
export function readablePair(a: string, b: string, most: number): readonly [a: string, b: string] {
  const short = [readable(a, most), readable(b, most)] as const
  if (short[0] !== short[1] || a === b) return short
  const { same } = differenceOf(a, b)
  return [windowAt(a, same, most), windowAt(b, same, most)]
}
