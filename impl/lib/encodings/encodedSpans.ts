import { isUtf8 } from 'node:buffer'
import { encodeAs, type FormName } from './forms.ts'

/** A part of a text that encodes another text. */
export type EncodedSpan = {
  readonly start: number
  readonly end: number
  readonly form: FormName
  readonly decoded: string
  /** Whether encoding the decoded text restores the same characters. */
  readonly exact: boolean
}

/** What a word decodes to, and the forms that may have made it of that. */
type Decoded = { readonly decoded: string; readonly forms: readonly FormName[] }

/** A part of a text that may be encoded. */
type EncodedWord = Decoded & { readonly start: number; readonly word: string }

const textForms = (decoded: string, word: string, forms: readonly FormName[]) =>
  decoded === word ? undefined : { decoded, forms }

/** Bytes that are no text are shown as Latin-1. */
function bytesAsText(bytes: Buffer, forms: readonly FormName[]): Decoded | undefined {
  if (bytes.length === 0) return undefined
  return isUtf8(bytes)
    ? { decoded: bytes.toString('utf8'), forms }
    : { decoded: bytes.toString('latin1'), forms: forms.map((form) => `${form}-bytes` as FormName) }
}

function fromJson(word: string): Decoded | undefined {
  try {
    const decoded: unknown = JSON.parse(`"${word}"`)
    if (typeof decoded !== 'string') return undefined
    return textForms(decoded, word, ['json', 'json-ascii', 'json-slashes'])
  } catch {
    return undefined
  }
}

function fromUrl(word: string): Decoded | undefined {
  try {
    const forms: readonly FormName[] = ['url', 'url-lower', 'percent', 'percent-upper']
    return textForms(decodeURIComponent(word), word, forms)
  } catch {
    return undefined
  }
}

function fromForm(word: string): Decoded | undefined {
  try {
    return textForms(decodeURIComponent(word.replaceAll('+', ' ')), word, ['form', 'form-lower'])
  } catch {
    return undefined
  }
}

const fromHex = (word: string): Decoded | undefined =>
  bytesAsText(Buffer.from(word, 'hex'), ['hex', 'hex-upper'])

function fromBase64(word: string): Decoded | undefined {
  if (word.replace(/=+$/, '').length % 4 === 1) return undefined
  return bytesAsText(
    Buffer.from(word, 'base64'),
    /[-_]/.test(word)
      ? ['base64url', 'base64url-padded']
      : ['base64', 'base64url', 'base64-bare', 'base64url-padded'],
  )
}

type Decoder = {
  /** The first group is decoded. */
  readonly pattern: RegExp
  readonly decode: (word: string) => Decoded | undefined
  /** Decoded characters per character of a word, at most. */
  readonly ratio: number
  /**
   * Characters that a word must contain to be decoded; without it the pattern would rescan the text
   * repeatedly.
   */
  readonly mark?: RegExp
  /**
   * Digits that encode whole bytes: a word may be preceded and followed by unrelated digits of the
   * same alphabet.
   */
  readonly group?: number
}

const decoders: readonly Decoder[] = [
  // Between two adjacent quotes, whichever of them opens a string.
  {
    pattern: /(?:^|")([^"\\]*(?:\\[\s\S][^"\\]*)+)(?="|$)/g,
    decode: fromJson,
    ratio: 1,
    mark: /\\/,
  },
  { pattern: /([\w.~!*'()%-]+)/g, decode: fromUrl, ratio: 1, mark: /%/ },
  { pattern: /([\w.*%+-]+)/g, decode: fromForm, ratio: 1, mark: /[%+]/ },
  { pattern: /([0-9a-fA-F]{12,})/g, decode: fromHex, ratio: 1 / 2, group: 2 },
  { pattern: /([A-Za-z0-9+/]{8,}={0,2})/g, decode: fromBase64, ratio: 3 / 4, group: 4 },
  { pattern: /([A-Za-z0-9_-]{8,}={0,2})/g, decode: fromBase64, ratio: 3 / 4, group: 4 },
]

/** The word from every possible start of its digits, whole and in whole groups of digits. */
function wordsWithin(word: string, group = 1): readonly string[] {
  if (group === 1) return [word]
  const digits = word.replace(/=+$/, '')
  const cut = Array.from({ length: group }, (_, from) => digits.slice(from)).flatMap((rest) => [
    rest.length % group === 1 ? rest.slice(0, -1) : rest,
    rest.slice(0, rest.length - (rest.length % group)),
  ])
  return [...new Set([word, ...cut])].filter((each) => each !== '')
}

/**
 * Parts of a text that may be encoded, decoded; in no order. Fast: the forms are not tried.
 *
 * @param least length of the shortest decoded text that matters
 */
export function encodedWords(text: string, least = 1): readonly EncodedWord[] {
  const words: EncodedWord[] = []
  // A word may match both alphabets of base64.
  const seen = new Map<Decoder['decode'], Set<string>>()
  for (const { pattern, decode, ratio, mark, group } of decoders) {
    if (text.length * ratio < least || mark?.test(text) === false) continue
    const places = seen.get(decode) ?? new Set()
    seen.set(decode, places)
    for (const match of text.matchAll(pattern)) {
      const whole = match[1]!
      if (whole.length * ratio < least || mark?.test(whole) === false) continue
      const first = match.index + match[0].length - whole.length
      for (const word of wordsWithin(whole, group)) {
        const start = first + whole.indexOf(word)
        const place = `${start} ${word.length}`
        if (places.has(place)) continue
        places.add(place)
        const found = decode(word)
        if (found === undefined || found.decoded.length < least) continue
        words.push({ start, word, ...found })
      }
    }
  }
  return words
}

/**
 * Of the forms that may have made a word the first that restores it exactly; else the first one,
 * which decodes to the same text.
 */
function spanOf({ start, word, decoded, forms }: EncodedWord): EncodedSpan {
  const form = forms.find((each) => encodeAs(each, decoded) === word)
  const end = start + word.length
  return { start, end, form: form ?? forms[0]!, decoded, exact: form !== undefined }
}

/** Parts of a text that may be encoded; sorted by start, then exact ones first, then by length. */
export const encodedSpans = (text: string): readonly EncodedSpan[] =>
  encodedWords(text)
    .map(spanOf)
    .sort((a, b) => a.start - b.start || Number(b.exact) - Number(a.exact) || b.end - a.end)
