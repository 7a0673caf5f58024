import { ofBase64 } from '#platform'
import { BuiltinError } from '../errors.ts'

const illegal = (offset: number): BuiltinError =>
  new BuiltinError(`illegal base64 data at input byte ${offset}`)

/** Groups of four up to the first with padding. */
const PADDED = /^(?:[^=]{4})*(?:[^=]{2}==|[^=]{3}=)/

/**
 * Strict decoding as in Go: line ends are skipped, padding is required exactly if the alphabet is
 * padded, and errors contain the offset of the first bad byte.
 */
export function decodeBase64(
  text: string,
  options: { readonly url?: boolean; readonly padded?: boolean } = {},
): Uint8Array {
  const { url = false, padded = true } = options
  const allowed = url ? /[^A-Za-z0-9_-]/ : /[^A-Za-z0-9+/]/
  const clean = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text
  const end = padded ? clean.length - (/={0,2}$/.exec(clean)?.[0].length ?? 0) : clean.length
  const body = clean.slice(0, end)
  const bad = body.search(allowed)
  const complete = padded ? (PADDED.exec(clean)?.[0].length ?? clean.length) : clean.length
  // What follows the padding is bad from its start.
  if (complete < clean.length && !allowed.test(clean.slice(0, complete).replace(/=+$/, ''))) {
    throw illegal(complete)
  }
  if (bad >= 0) throw illegal(bad)
  const rest = body.length % 4
  const missing = rest === 0 ? 0 : 4 - rest
  if (rest === 1 || (padded && clean.length - end !== missing)) {
    // Where padding is missing, Go names the start of the group of four.
    const group = body.length - rest
    throw illegal(
      clean.length - end > missing
        ? end + missing
        : padded && clean.length === end
          ? group
          : rest === 1
            ? clean.length - 1
            : clean.length,
    )
  }
  return ofBase64(body)
}
