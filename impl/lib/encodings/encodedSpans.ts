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

type Decoded = Pick<EncodedSpan, 'form' | 'decoded' | 'exact'>

/**
 * The first form that restores the word exactly; else the first one, which decodes to the same
 * text.
 */
function inFormOf(word: string, decoded: string, forms: readonly FormName[]): Decoded {
  const form = forms.find((each) => encodeAs(each, decoded) === word)
  return { form: form ?? forms[0]!, decoded, exact: form !== undefined }
}

function bytesAsText(word: string, bytes: Buffer, forms: readonly FormName[]): Decoded | undefined {
  if (bytes.length === 0) return undefined
  const text = bytes.toString('utf8')
  if (Buffer.from(text, 'utf8').equals(bytes)) return inFormOf(word, text, forms)
  const ofBytes = forms.map((form) => `${form}-bytes` as FormName)
  return inFormOf(word, bytes.toString('latin1'), ofBytes)
}

function fromJson(word: string): Decoded | undefined {
  try {
    const decoded: unknown = JSON.parse(`"${word}"`)
    if (typeof decoded !== 'string' || decoded === word) return undefined
    return inFormOf(word, decoded, ['json', 'json-ascii', 'json-slashes'])
  } catch {
    return undefined
  }
}

function fromUrl(word: string): Decoded | undefined {
  try {
    const decoded = decodeURIComponent(word)
    return decoded === word
      ? undefined
      : inFormOf(word, decoded, ['url', 'url-lower', 'percent', 'percent-upper'])
  } catch {
    return undefined
  }
}

function fromForm(word: string): Decoded | undefined {
  try {
    const decoded = decodeURIComponent(word.replaceAll('+', ' '))
    return decoded === word ? undefined : inFormOf(word, decoded, ['form', 'form-lower'])
  } catch {
    return undefined
  }
}

const fromHex = (word: string): Decoded | undefined =>
  bytesAsText(word, Buffer.from(word, 'hex'), ['hex', 'hex-upper'])

function fromBase64(word: string): Decoded | undefined {
  if (word.replace(/=+$/, '').length % 4 === 1) return undefined
  return bytesAsText(
    word,
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
  { pattern: /(?:^|")([^"\\]*(?:\\[\s\S][^"\\]*)+)(?="|$)/g, decode: fromJson },
  { pattern: /([\w.~!*'()%-]+)/g, decode: fromUrl, mark: /%/ },
  { pattern: /([\w.*%+-]+)/g, decode: fromForm, mark: /[%+]/ },
  { pattern: /([0-9a-fA-F]{12,})/g, decode: fromHex, group: 2 },
  { pattern: /([A-Za-z0-9+/]{8,}={0,2})/g, decode: fromBase64, group: 4 },
  { pattern: /([A-Za-z0-9_-]{8,}={0,2})/g, decode: fromBase64, group: 4 },
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

/** Parts of a text that may be encoded; sorted by start, then exact ones first, then by length. */
export function encodedSpans(text: string): readonly EncodedSpan[] {
  const spans: EncodedSpan[] = []
  const seen = new Set<string>()
  for (const { pattern, decode, mark, group } of decoders) {
    if (mark?.test(text) === false) continue
    for (const match of text.matchAll(pattern)) {
      const whole = match[1]!
      if (mark?.test(whole) === false) continue
      const first = match.index + match[0].length - whole.length
      for (const word of wordsWithin(whole, group)) {
        const start = first + whole.indexOf(word)
        // A word may match both alphabets of base64.
        const place = `${decode.name} ${start} ${word.length}`
        if (seen.has(place)) continue
        seen.add(place)
        const found = decode(word)
        if (found === undefined || found.decoded === '') continue
        spans.push({ start, end: start + word.length, ...found })
      }
    }
  }
  return spans.sort(
    (a, b) => a.start - b.start || Number(b.exact) - Number(a.exact) || b.end - a.end,
  )
}
