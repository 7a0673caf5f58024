import { base64Cores, formsOf } from './secretForms.ts'

const shortest = 4
const longestText = 2_048

/**
 * A text without the secrets of a run (decision O6). A guest chooses the texts of its errors, so
 * each value of the secrets object is taken out in the forms in which it would travel. A value too
 * short to be told from ordinary text withholds the whole text.
 *
 * @param secrets plaintext bytes of the secrets object
 */
export function redact(text: string, secrets: Uint8Array | undefined): string {
  const clean = secrets ? withoutSecrets(text, secrets) : text
  // Shortened last, so that no secret is cut in two and missed.
  return clean.length > longestText ? `${clean.slice(0, longestText)}...` : clean
}

function withoutSecrets(text: string, secrets: Uint8Array): string {
  const values = secretValues(new TextDecoder().decode(secrets))
  if (values.some((value) => value.length < shortest && text.includes(value))) {
    return 'details withheld: they contain a secret'
  }
  return values
    .filter((value) => value.length >= shortest)
    .flatMap(forms)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, form) => clean.replaceAll(form, '[redacted]'), text)
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

/** The value in each form, and the digits of it within base64 of more, as Basic credentials are. */
function forms(value: string): string[] {
  const cores = base64Cores(value)
  return [
    ...formsOf(value).map(([form]) => form),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    ...cores,
    ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}
