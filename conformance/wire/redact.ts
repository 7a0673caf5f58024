import { containsAny } from 'polgate-lib/encodings/containsAny.ts'
import { textsOf } from 'polgate-lib/encodings/forms.ts'
import { type Piece, secretHider, TooManyEncodings } from 'polgate-lib/encodings/redactSecrets.ts'

/** Shorter values are words; replacing them would damage the text. */
export const shortestSecret = 6

/** Names of the environment variables that replace secret values in all output. */
export type Secrets = Readonly<Record<string, string>>

/** A prefix of a secret this long is hidden if a text was truncated inside it. */
const shortestPiece = 8

/** Shorter derived forms would match by chance. */
const shortestDerived = 8

type Needle = { readonly form: string; readonly name: string }

function needlesOf(name: string, value: string): readonly Needle[] {
  const derived = textsOf(value).filter((form) => form.length >= shortestDerived)
  return [...new Set([value, ...derived])].map((form) => ({ form, name }))
}

const isCutAt = (text: string, at: number) =>
  at === text.length || text.startsWith('...', at) || text.startsWith('…', at)

/** Hides the prefix of a form where a text was truncated inside it. */
function hidePieces(text: string, { form, name }: Needle, wholes: ReadonlySet<string>): string {
  const head = form.slice(0, shortestPiece)
  let shown = ''
  let from = 0
  for (let at = text.indexOf(head); at !== -1; ) {
    let length = head.length
    while (length < form.length && text[at + length] === form[length]) length++
    const isWhole = wholes.has(form.slice(0, length))
    const hidden = isCutAt(text, at + length) && !isWhole
    if (hidden) {
      shown += `${text.slice(from, at)}$${name}`
      from = at + length
    }
    at = text.indexOf(head, hidden || isWhole ? at + length : at + 1)
  }
  return from === 0 ? text : shown + text.slice(from)
}

/**
 * A function that replaces secrets with `$NAME`, in any encoding, also where a truncated text ends
 * inside one. Longer values first, so that one secret inside another leaves no remainder.
 */
export function redactorOf(
  secrets: Iterable<readonly [name: string, value: string]>,
): (text: string) => string {
  const known = [...secrets].filter(([, value]) => value.length >= shortestSecret)
  const needles = known
    .flatMap(([name, value]) => needlesOf(name, value))
    .sort((a, b) => b.form.length - a.form.length)
  // The prefix of one secret may be another secret.
  const wholes = new Set(needles.map(({ form }) => form))
  // A form, or the prefix of one.
  const pieces = new Set([...wholes].map((form) => form.slice(0, shortestPiece)))
  const suspect = containsAny([...pieces])
  const hide = secretHider(known)
  const redactFlat = (text: string) => {
    if (!suspect(text)) return text
    const uncut = needles.reduce((rest, needle) => hidePieces(rest, needle, wholes), text)
    return needles.reduce((rest, { form, name }) => rest.replaceAll(form, `$${name}`), uncut)
  }
  return (text) => {
    if (text.length < shortestSecret) return text
    const flat = redactFlat(text)
    return mayBeEncoded.test(flat) ? withoutEncoded(flat, hide) : flat
  }
}

/** Enough characters for a secret that is encoded twice, or escapes. */
const mayBeEncoded = /[A-Za-z0-9+/_-]{16,}|%[0-9a-fA-F]{2}|\\/

/** Nested encodings are replaced by the name of the first secret in them. */
function withoutEncoded(text: string, hide: ReturnType<typeof secretHider>): string {
  try {
    return hide(text)
      .map((piece) => (typeof piece === 'string' ? piece : `$${firstIn([piece])}`))
      .join('')
  } catch (error) {
    if (error instanceof TooManyEncodings) return `(not shown: ${error.message})`
    throw error
  }
}

function firstIn(pieces: readonly Piece[]): string | undefined {
  for (const piece of pieces) {
    if (typeof piece === 'string') continue
    const found = 'secret' in piece ? piece.secret : firstIn(piece.inner)
    if (found !== undefined) return found
  }
  return undefined
}

export const redactor = (secrets: Secrets) => redactorOf(Object.entries(secrets))

/** Applies it to every string of a JSON value, including member names. */
export const redactJson = <T>(value: T, redact: (text: string) => string): T =>
  walk(JSON.parse(JSON.stringify(value)), redact) as T

function walk(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => walk(item, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name), walk(member, redact)]),
  )
}
