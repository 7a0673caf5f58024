import { containsEncoded } from 'polgate-lib/encodings/containsEncoded.ts'
import { encodeAs, isFormName, isWithinBase64 } from 'polgate-lib/encodings/forms.ts'
import { type Piece, secretHider, TooManyEncodings } from 'polgate-lib/encodings/redactSecrets.ts'
import { RecordingError } from './recordingError.ts'

/**
 * Replaces secrets in texts by placeholders, from which the texts can be restored with the secrets:
 *
 * - `${secret:NAME}` is a value, `${base64:${secret:NAME}}` an encoding of it,
 *   `${base64:user:${secret:NAME}}` an encoding together with other text; encodings may be nested
 * - `${redacted:1}` is a value that is not stored; it is restored as `redacted-1`
 * - `${dollar}{` and `${close}` escape text that would be read as a placeholder
 *
 * Names are URL-encoded.
 */
export type Placeholders = {
  /** @throws RecordingError when a secret would remain in a form without a placeholder */
  hide(text: string): string
  /** @throws RecordingError for a missing secret or an unknown placeholder */
  restore(text: string): string
  /** Name of a secret that the bytes contain. */
  found(bytes: Uint8Array): string | undefined
}

export type PlaceholderOptions = {
  /** Values by name; of two names with the same value the first is used. */
  readonly secrets: readonly (readonly [name: string, value: string])[]
  /** Values to remove permanently. */
  readonly redacted?: readonly string[] | undefined
}

/** Shorter values are found by chance in decoded text. */
const shortestEncoded = 6

export function createPlaceholders({ secrets, redacted = [] }: PlaceholderOptions): Placeholders {
  const known = secrets.filter(([, value]) => value !== '')
  const values = new Map(known)
  const find = secretHider(
    [
      ...known.map(([name, value]): [string, string] => [
        `secret:${encodeURIComponent(name)}`,
        value,
      ]),
      ...redacted.map((value, at): [string, string] => [`redacted:${at + 1}`, value]),
    ],
    { exactly: true },
  )

  /** Name of a secret that the text contains in some encoding. */
  const within = (text: string): string | undefined =>
    known.find(([, value]) => isWithinBase64(text, value))?.[0] ??
    containsEncoded(
      text,
      known.filter(([, value]) => value.length >= shortestEncoded),
    )

  function restored(name: string, content: string | undefined): string {
    if (content === undefined) {
      if (name === 'dollar') return '$'
      if (name === 'close') return '}'
    } else if (name === 'secret') {
      const value = values.get(decodeURIComponent(content))
      if (value !== undefined) return value
      throw new RecordingError(
        `the recording needs the secret ${content}`,
        'Pass a secrets file that contains it. Any value works unless an oracle checks it.',
      )
    } else if (name === 'redacted') {
      return `redacted-${content}`
    } else if (isFormName(name)) {
      return encodeAs(name, content)
    }
    throw new RecordingError(
      `the recording has an unknown placeholder: \${${name}`.slice(0, 100),
      `Write a literal \${ as \${dollar}{.`,
    )
  }

  return {
    hide(text) {
      try {
        const clean = printed(find(text))
        const left = within(withoutPlaceholders(clean))
        if (left === undefined) return clean
        throw new RecordingError(
          `the recording would contain the secret ${left} within base64 or another encoding`,
          'Omit the header that contains it with --redact-header NAME.',
        )
      } catch (error) {
        if (!(error instanceof TooManyEncodings)) throw error
        throw new RecordingError(
          `the recording would contain a text with ${error.message}`,
          'This exchange cannot be recorded.',
        )
      }
    },
    restore: (text) => restoreWith(text, restored),
    found(bytes) {
      const text = Buffer.from(bytes).toString('latin1')
      return containsEncoded(
        text,
        known.filter(([, value]) => value.length >= 4),
      )
    },
  }
}

const printed = (pieces: readonly Piece[], nested = false): string =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return escaped(piece, nested)
      if ('secret' in piece) return `\${${piece.secret}}`
      return `\${${piece.form}:${printed(piece.inner, true)}}`
    })
    .join('')

const escaped = (text: string, nested: boolean): string =>
  text.replace(/\$\{|\}/g, (mark) => {
    if (mark !== '}') return `\${dollar}{`
    return nested ? `\${close}` : mark
  })

/** The text with each placeholder replaced by a NUL. */
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

/** Index after the placeholder that begins at `start`. */
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
    out += value(name, isFormName(name) ? restoreWith(content, value) : content)
  }
  return out
}
