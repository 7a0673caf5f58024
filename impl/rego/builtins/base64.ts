import { ofBase64 } from '#platform'
import { BuiltinError } from '../errors.ts'

const illegal = (offset: number): BuiltinError =>
  new BuiltinError(`illegal base64 data at input byte ${offset}`)

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
  if (bad >= 0) throw illegal(bad)
  const rest = body.length % 4
  const missing = rest === 0 ? 0 : 4 - rest
  if (rest === 1 || (padded && clean.length - end !== missing)) {
    throw illegal(
      clean.length - end > missing ? end + missing : clean.length - (rest === 1 ? 1 : 0),
    )
  }
  return ofBase64(body)
}
