import {
  decodedBase64,
  encodeAs,
  type FormName,
  formsOf,
  isFormName,
  isWithinBase64,
} from '../secretForms.ts'
import { RecordingError } from './recordingError.ts'

/**
 * Texts without secrets, from which they can be made again by whoever has the secrets:
 *
 * - `${secret:NAME}` stands for a value, `${base64:${secret:NAME}}` for a form in which it travels,
 *   `${base64:user:${secret:NAME}}` for one with other text in it
 * - `${redacted:1}` stands for a value that nobody keeps; it comes back as `redacted-1`
 * - `${dollar}{` and `${close}` stand for what would be read as a placeholder
 *
 * Names are URL-encoded.
 */
export type Placeholders = {
  /** @throws RecordingError where a secret would stay in a form that has no placeholder */
  hide(text: string): string
  /** @throws RecordingError for a secret that is not at hand, or a placeholder that is none */
  restore(text: string): string
  /** Name of a secret that bytes hold. */
  found(bytes: Uint8Array): string | undefined
}

export type PlaceholderOptions = {
  /** Values by name; of two names with one value the first counts. */
  readonly secrets: readonly (readonly [name: string, value: string])[]
  /** Values to be forgotten. */
  readonly redacted?: readonly string[] | undefined
}

type Piece = { readonly text: string; readonly hidden: boolean }

const deepest = 4

export function createPlaceholders({ secrets, redacted = [] }: PlaceholderOptions): Placeholders {
  const known = secrets.filter(([, value]) => value !== '')
  const values = new Map(known)
  const needles = needlesOf(known, redacted)

  function hide(text: string, depth = 0): string {
    return wordsOfBase64(text, depth)
      .flatMap((piece) => (piece.hidden ? [piece] : withoutNeedles(piece.text)))
      .map((piece) => (piece.hidden ? piece.text : escaped(piece.text, depth > 0)))
      .join('')
  }

  /** Words that hold a secret among other text, such as the user and password of `Basic`. */
  function wordsOfBase64(text: string, depth: number): Piece[] {
    const pieces: Piece[] = []
    let end = 0
    for (const match of text.matchAll(/[A-Za-z0-9+/_-]{6,}={0,2}/g)) {
      const decoded = depth < deepest ? decodedBase64(match[0]) : undefined
      if (decoded === undefined || !holdsSecret(decoded.text)) continue
      pieces.push({ text: text.slice(end, match.index), hidden: false })
      const inner = hide(decoded.text, depth + 1)
      pieces.push({ text: `\${${decoded.form}:${inner}}`, hidden: true })
      end = match.index + match[0].length
    }
    pieces.push({ text: text.slice(end), hidden: false })
    return pieces
  }

  const holdsSecret = (text: string) =>
    known.some(([, value]) => value.length >= 4 && text.includes(value))

  /** The longest first, so that none is cut in two by a shorter one. */
  function withoutNeedles(text: string): Piece[] {
    let pieces: Piece[] = [{ text, hidden: false }]
    for (const [needle, placeholder] of needles) {
      if (!text.includes(needle)) continue
      pieces = pieces.flatMap((piece) =>
        piece.hidden
          ? [piece]
          : piece.text.split(needle).flatMap((part, at) => {
              const rest = { text: part, hidden: false }
              return at === 0 ? [rest] : [{ text: placeholder, hidden: true }, rest]
            }),
      )
    }
    return pieces
  }

  function restored(name: string, content: string | undefined): string {
    if (content === undefined) {
      if (name === 'dollar') return '$'
      if (name === 'close') return '}'
    } else if (name === 'secret') {
      const value = values.get(decodeURIComponent(content))
      if (value !== undefined) return value
      throw new RecordingError(
        `the recording needs the secret ${content}`,
        'Give a secrets file that has it; any value will do unless an oracle looks at it.',
      )
    } else if (name === 'redacted') {
      return `redacted-${content}`
    } else if (isFormName(name)) {
      return encodeAs(name, content)
    }
    throw new RecordingError(
      `the recording has a placeholder that is none: \${${name}`.slice(0, 100),
      `Write a literal \${ as \${dollar}{.`,
    )
  }

  return {
    hide(text) {
      const clean = hide(text)
      const rest = withoutPlaceholders(clean)
      const left = known.find(([, value]) => isWithinBase64(rest, value))
      if (left === undefined) return clean
      throw new RecordingError(
        `the recording would hold the secret ${left[0]} inside of base64`,
        'Leave the header that carries it out of the recording with --redact-header NAME.',
      )
    },
    restore: (text) => restoreWith(text, restored),
    found(bytes) {
      const text = Buffer.from(bytes).toString('latin1')
      return known.find(
        ([, value]) =>
          value.length >= 4 &&
          formsOf(value).some(([form]) => text.includes(Buffer.from(form).toString('latin1'))),
      )?.[0]
    },
  }
}

/** What to look for and what to write for it, the longest first. */
function needlesOf(
  secrets: PlaceholderOptions['secrets'],
  redacted: readonly string[],
): readonly (readonly [string, string])[] {
  const found = new Map<string, string>()
  const add = (value: string, placeholder: string) => {
    for (const [needle, form] of formsOf(value)) {
      if (found.has(needle)) continue
      found.set(needle, form === undefined ? placeholder : wrapped(form, placeholder))
    }
  }
  for (const [name, value] of secrets) add(value, `\${secret:${encodeURIComponent(name)}}`)
  for (const [at, value] of redacted.entries()) add(value, `\${redacted:${at + 1}}`)
  return [...found].sort(([a], [b]) => b.length - a.length)
}

const wrapped = (form: FormName, placeholder: string) => `\${${form}:${placeholder}}`

const escaped = (text: string, nested: boolean): string =>
  text.replace(/\$\{|\}/g, (mark) => {
    if (mark !== '}') return `\${dollar}{`
    return nested ? `\${close}` : mark
  })

/** Texts between placeholders, with a mark where one stood. */
export function withoutPlaceholders(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    if (text.startsWith('${', at)) {
      at = endOf(text, at)
      rest += '\0'
    } else {
      rest += text[at++]
    }
  }
  return rest
}

/** Index after the placeholder that begins here. */
function endOf(text: string, start: number): number {
  let level = 0
  for (let at = start; at < text.length; at++) {
    if (text.startsWith('${', at)) level += 1
    else if (text[at] === '}' && --level === 0) return at + 1
  }
  return text.length
}

function restoreWith(
  text: string,
  value: (name: string, content: string | undefined) => string,
  depth = 0,
): string {
  let out = ''
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('${', at)
    if (start === -1) return out + text.slice(at)
    out += text.slice(at, start)
    at = endOf(text, start)
    const inner = text.slice(start + 2, at - 1)
    const colon = inner.indexOf(':')
    if (colon === -1) {
      out += value(inner, undefined)
      continue
    }
    const name = inner.slice(0, colon)
    const content = inner.slice(colon + 1)
    const nested = isFormName(name) && depth <= deepest + 1
    out += value(name, nested ? restoreWith(content, value, depth + 1) : content)
  }
  return out
}
