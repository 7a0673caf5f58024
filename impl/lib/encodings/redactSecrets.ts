import { AppError } from '../errors/appError.ts'
import { containsAny } from './containsAny.ts'
import { encodedSpans, encodedWords } from './encodedSpans.ts'
import { encodeAs, type FormName, formsOf } from './forms.ts'

/** Part of a text: literal, a secret by its name, or nested parts in an encoding. */
export type Piece =
  | string
  | { readonly secret: string }
  | { readonly form: FormName; readonly inner: readonly Piece[] }

/** A text nests more encodings than the search follows. */
export class TooManyEncodings extends AppError {
  constructor() {
    super('too many nested encodings to search for secrets')
  }
}

/** Maximum of decoded characters per character of a text, and in total. */
const workPerCharacter = 200
const leastWork = 1_000_000
const mostWork = 256_000_000

/** Counts decoded characters. */
export function workFor(text: string): (decoded: string) => void {
  let left = Math.min(mostWork, Math.max(leastWork, text.length * workPerCharacter))
  return (decoded) => {
    left -= decoded.length
    if (left < 0) throw new TooManyEncodings()
  }
}

/** Binary data contains short values by chance. */
const shortestEncoded = 4
const shortestInBytes = 8

type Needle = { readonly text: string; readonly piece: Piece; readonly length: number }

export type HideOptions = {
  /** Parts whose encoding would not restore the same characters are not decoded. */
  readonly exactly?: boolean | undefined
}

/**
 * Returns a function that finds secrets in a text, in any encoding, and splits the text into pieces
 * from which the holder of the secrets can restore it. For several names of one value the first is
 * used. Longer values take precedence, so that no secret is split.
 */
export function secretHider(
  secrets: Iterable<readonly [name: string, value: string]>,
  { exactly = false }: HideOptions = {},
): (text: string) => readonly Piece[] {
  const needles = needlesOf(secrets)
  const containsSecret = containsAny(needles.map(({ text }) => text))
  const least = Math.min(...needles.map(({ text }) => text.length))
  const mayContainSecret = (text: string, work: (decoded: string) => void): boolean =>
    containsSecret(text) ||
    encodedWords(text, least).some(({ decoded }) => {
      work(decoded)
      return mayContainSecret(decoded, work)
    })

  const hideFlat = (text: string, shortest: number): readonly Piece[] => {
    let pieces: readonly Piece[] = [text]
    if (!containsSecret(text)) return pieces
    for (const needle of needles) {
      if (needle.length < shortest || !text.includes(needle.text)) continue
      pieces = pieces.flatMap((piece) =>
        typeof piece !== 'string'
          ? [piece]
          : piece
              .split(needle.text)
              .flatMap((part, i) => (i === 0 ? [part] : [needle.piece, part])),
      )
    }
    return pieces
  }

  /**
   * Whether what is left literal shows a secret once it is encoded again: one with two backslashes,
   * say, in a text that is read as JSON because of another secret.
   */
  const remains = (form: FormName, inner: readonly Piece[]): boolean =>
    inner.some((piece) => typeof piece === 'string' && containsSecret(encodeAs(form, piece)))

  const hide = (text: string, work: (decoded: string) => void, shortest = 1): readonly Piece[] => {
    const pieces: Piece[] = []
    let end = 0
    for (const span of encodedSpans(text)) {
      if (span.start < end || (exactly && !span.exact)) continue
      work(span.decoded)
      const least = span.form.endsWith('-bytes') ? shortestInBytes : shortestEncoded
      const inner = hide(span.decoded, work, Math.max(shortest, least))
      if (!inner.some((piece) => typeof piece !== 'string')) continue
      const flat = remains(span.form, inner)
        ? hideFlat(text.slice(span.start, span.end), shortest)
        : []
      const hidden = flat.some((piece) => typeof piece !== 'string')
        ? flat.flatMap((piece) =>
            typeof piece === 'string' ? hide(piece, work, shortest) : [piece],
          )
        : encoded(span.form, inner)
      pieces.push(...hideFlat(text.slice(end, span.start), shortest), ...hidden)
      end = span.end
    }
    return joined([...pieces, ...hideFlat(text.slice(end), shortest)])
  }
  /** A literal part beside a decoded one may still have the encoding of a short secret. */
  const rest = (piece: Piece): readonly Piece[] =>
    typeof piece === 'string' ? hideFlat(piece, 1) : [piece]
  return (text) =>
    joined(mayContainSecret(text, workFor(text)) ? hide(text, workFor(text)).flatMap(rest) : [text])
}

/** Bytes that contain more than the secret are more readable as the original hex. */
const encoded = (form: FormName, inner: readonly Piece[]): readonly Piece[] =>
  form.startsWith('hex') && inner.some((piece) => typeof piece === 'string' && isBinary(piece))
    ? inner.map((piece) =>
        typeof piece === 'string' ? encodeAs(form, piece) : { form, inner: [piece] },
      )
    : [{ form, inner }]

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for
const isBinary = (text: string) => /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/.test(text)

/** Removes empty texts and joins adjacent ones. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (piece === '') continue
    if (typeof piece === 'string' && typeof last === 'string')
      result[result.length - 1] = last + piece
    else result.push(piece)
  }
  return result
}

/** What to search for and its replacement, longest first. */
function needlesOf(secrets: Iterable<readonly [name: string, value: string]>): readonly Needle[] {
  const found = new Map<string, Omit<Needle, 'text'>>()
  for (const [secret, value] of secrets) {
    if (value === '') continue
    for (const [text, form] of formsOf(value))
      if (!found.has(text))
        found.set(text, {
          piece: form === undefined ? { secret } : { form, inner: [{ secret }] },
          length: value.length,
        })
  }
  return [...found]
    .map(([text, needle]) => ({ text, ...needle }))
    .sort((a, b) => b.text.length - a.text.length)
}

/** Restores the text; `value` returns the value of a secret. */
export const unhide = (pieces: readonly Piece[], value: (secret: string) => string): string =>
  pieces
    .map((piece) =>
      typeof piece === 'string'
        ? piece
        : 'secret' in piece
          ? value(piece.secret)
          : encodeAs(piece.form, unhide(piece.inner, value)),
    )
    .join('')
