import { AppError } from '../errors/appError.ts'
import { encodedSpans } from './encodedSpans.ts'
import { encodeAs, type FormName, formsOf } from './forms.ts'
import { mayHold } from './mayHold.ts'

/** Part of a text: as it stands, a secret by its name, or other parts in an encoding. */
export type Piece =
  | string
  | { readonly secret: string }
  | { readonly form: FormName; readonly inner: readonly Piece[] }

/** A text is encoded in more ways than anybody would look through. */
export class TooManyEncodings extends AppError {
  constructor() {
    super('too many encodings within each other to be looked through')
  }
}

/** Characters that may be decoded for each character of a text, and in any case. */
const workPerCharacter = 200
const leastWork = 1_000_000
const mostWork = 256_000_000

/** Counts what is decoded. */
export const workFor = (text: string): ((decoded: string) => void) => {
  let left = Math.min(mostWork, Math.max(leastWork, text.length * workPerCharacter))
  return (decoded) => {
    left -= decoded.length
    if (left < 0) throw new TooManyEncodings()
  }
}

/** Bytes that are no text hold a short value by chance. */
const shortestEncoded = 4
const shortestInBytes = 8

type Needle = { readonly text: string; readonly piece: Piece; readonly length: number }

export type HideOptions = {
  /** Parts whose characters would change in being encoded again stay as they are. */
  readonly exactly?: boolean | undefined
}

/**
 * A function that finds secrets in a text, whatever they are encoded in, and gives the text in
 * pieces from which it can be made again by whoever has the secrets. Names of one value: the first
 * counts. Longer texts count before shorter ones, so that no secret is cut in two.
 */
export const secretHider = (
  secrets: Iterable<readonly [name: string, value: string]>,
  { exactly = false }: HideOptions = {},
): ((text: string) => readonly Piece[]) => {
  const needles = needlesOf(secrets)
  const suspect = mayHold(needles.map(({ text }) => text))

  const hideFlat = (text: string, shortest: number): readonly Piece[] => {
    let pieces: readonly Piece[] = [text]
    if (!suspect(text)) return pieces
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

  const hide = (text: string, work: (decoded: string) => void, shortest = 1): readonly Piece[] => {
    const pieces: Piece[] = []
    let end = 0
    for (const span of encodedSpans(text)) {
      if (span.start < end || (exactly && !span.exact)) continue
      work(span.decoded)
      const least = span.form.endsWith('-bytes') ? shortestInBytes : shortestEncoded
      const inner = hide(span.decoded, work, Math.max(shortest, least))
      if (!inner.some((piece) => typeof piece !== 'string')) continue
      pieces.push(...hideFlat(text.slice(end, span.start), shortest), ...encoded(span.form, inner))
      end = span.end
    }
    return joined([...pieces, ...hideFlat(text.slice(end), shortest)])
  }
  return (text) => hide(text, workFor(text))
}

/** Bytes among which only some are a secret are easier to read as the hex that they were. */
const encoded = (form: FormName, inner: readonly Piece[]): readonly Piece[] =>
  form.startsWith('hex') && inner.some((piece) => typeof piece === 'string' && isBinary(piece))
    ? inner.map((piece) =>
        typeof piece === 'string' ? encodeAs(form, piece) : { form, inner: [piece] },
      )
    : [{ form, inner }]

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const isBinary = (text: string) => /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/.test(text)

/** Without empty texts, and without two beside each other. */
const joined = (pieces: readonly Piece[]): readonly Piece[] => {
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

/** What to look for and what to write for it, the longest first. */
const needlesOf = (
  secrets: Iterable<readonly [name: string, value: string]>,
): readonly Needle[] => {
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

/** The text again; `value` gives the value of a secret. */
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
