import { textsOf } from 'polgate-lib/encodings/forms.ts'
import { secretHider, TooManyEncodings } from 'polgate-lib/encodings/redactSecrets.ts'

const minLength = 4
const maxText = 2_048
/** The rest of a longer text is not inspected: it is not shown either. */
const maxInspected = 32_768
const withheld = 'details withheld: they contain a secret'

/**
 * Removes the secrets of a run from a text (decision O6). A guest chooses the texts of its errors,
 * so each value of the secrets object is removed in all its likely encodings. A value that is too
 * short to be distinguished from ordinary text withholds the whole text.
 *
 * @param secrets plaintext bytes of the secrets object
 */
export function redact(text: string, secrets: Uint8Array | undefined): string {
  if (secrets === undefined) return shortened(text)
  const clean = withoutSecrets(text.slice(0, maxInspected), secrets)
  const isCut = text.length > maxInspected && clean !== withheld
  // A truncated text could end within a secret.
  if (isCut && clean.length <= maxText) return withheld
  return shortened(clean)
}

/** Truncates after redaction, so that no secret is cut in two and missed. */
const shortened = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}...` : text)

function withoutSecrets(text: string, secrets: Uint8Array): string {
  const values = secretValues(new TextDecoder().decode(secrets))
  if (values.some((value) => value.length < minLength && text.includes(value))) return withheld
  const known = values.filter((value) => value.length >= minLength)
  try {
    const flat = known
      .flatMap(textsOf)
      .sort((a, b) => b.length - a.length)
      .reduce((clean, form) => clean.replaceAll(form, '[redacted]'), text)
    return secretHider(known.map((value) => ['secret', value]))(flat)
      .map((piece) => (typeof piece === 'string' ? piece : '[redacted]'))
      .join('')
  } catch (error) {
    if (error instanceof TooManyEncodings) return withheld
    throw error
  }
}

function secretValues(plaintext: string): string[] {
  try {
    return strings(JSON.parse(plaintext)).filter((value) => value !== '')
  } catch {
    return plaintext === '' ? [] : [plaintext]
  }
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(strings)
  return []
}
