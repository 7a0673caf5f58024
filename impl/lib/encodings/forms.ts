const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const bytesOf = (text: string) => Buffer.from(text, 'utf8')
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const lowerEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase())
/** An unpaired surrogate cannot be percent-encoded. */
const escapable = (text: string) => Buffer.from(text).toString('utf8')
const escaped = (text: string) => encodeURIComponent(escapable(text))
const inForm = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
const percent = (text: string) => bytesOf(text).toString('hex').replace(/../g, '%$&')
const padded = (base64url: string) => base64url.padEnd(Math.ceil(base64url.length / 4) * 4, '=')
const unpadded = (base64: string) => base64.replace(/=+$/, '')

/**
 * Digits of a value that is hex-encoded bytes, such as a private key; undefined for other values.
 */
const digitsOf = (text: string): string | undefined =>
  /^(?:0x)?((?:[0-9a-fA-F]{2}){8,})$/.exec(text)?.[1]
/** The bytes of a value: those of its hex digits if it is hex. */
function rawOf(text: string) {
  const digits = digitsOf(text)
  return digits === undefined ? bytesOf(text) : Buffer.from(digits, 'hex')
}

/**
 * Encodings of a value, by the names used in recordings. `-bytes` is for text whose characters are
 * single bytes; `raw` is for the bytes of a hex value.
 */
const encoders = {
  json: inJson,
  'json-ascii': (text: string) =>
    inJson(text).replace(
      /[\u0080-\uffff]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'json-slashes': (text: string) => inJson(text).replaceAll('/', '\\/'),
  'json-twice': (text: string) => inJson(inJson(text)),
  /** How a header shows text outside its alphabet, and how bytes that are not text are shown. */
  latin1: (text: string) => bytesOf(text).toString('latin1'),
  url: escaped,
  'url-lower': (text: string) => lowerEscapes(escaped(text)),
  'url-twice': (text: string) => encodeURIComponent(escaped(text)),
  uri: (text: string) => encodeURI(escapable(text)),
  form: inForm,
  'form-lower': (text: string) => lowerEscapes(inForm(text)),
  percent,
  'percent-upper': (text: string) => percent(text).toUpperCase(),
  base64: (text: string) => bytesOf(text).toString('base64'),
  'base64-bare': (text: string) => unpadded(bytesOf(text).toString('base64')),
  base64url: (text: string) => bytesOf(text).toString('base64url'),
  'base64url-padded': (text: string) => padded(bytesOf(text).toString('base64url')),
  'base64-bytes': (text: string) => latin1(text).toString('base64'),
  'base64-bare-bytes': (text: string) => unpadded(latin1(text).toString('base64')),
  'base64url-bytes': (text: string) => latin1(text).toString('base64url'),
  'base64url-padded-bytes': (text: string) => padded(latin1(text).toString('base64url')),
  hex: (text: string) => bytesOf(text).toString('hex'),
  'hex-upper': (text: string) => bytesOf(text).toString('hex').toUpperCase(),
  'hex-bytes': (text: string) => latin1(text).toString('hex'),
  'hex-upper-bytes': (text: string) => latin1(text).toString('hex').toUpperCase(),
  'raw-hex': (text: string) => rawOf(text).toString('hex'),
  'raw-hex-upper': (text: string) => rawOf(text).toString('hex').toUpperCase(),
  'raw-base64': (text: string) => rawOf(text).toString('base64'),
  'raw-base64url': (text: string) => rawOf(text).toString('base64url'),
  'raw-latin1': (text: string) => rawOf(text).toString('latin1'),
} as const

export type FormName = keyof typeof encoders

export const formNames = Object.keys(encoders) as readonly FormName[]

export const isFormName = (name: string): name is FormName => Object.hasOwn(encoders, name)

export const encodeAs = (form: FormName, text: string): string => encoders[form](text)

/** Shorter values are only searched unencoded: their other forms occur by chance. */
const shortest = 4
const shortestCore = 8

/** All forms of a value; none for a value that is bytes already. */
const valueForms = formNames.filter((name) => !name.endsWith('-bytes') && !name.startsWith('raw-'))
const rawForms = formNames.filter((name) => name.startsWith('raw-'))

/** The encoded forms of a value and the name of each; undefined for the value itself. */
export function formsOf(value: string): readonly (readonly [string, FormName | undefined])[] {
  const forms: readonly FormName[] =
    value.length < shortest
      ? ['json', 'url']
      : digitsOf(value) === undefined
        ? valueForms
        : [...rawForms, ...valueForms]
  return [[value, undefined], ...forms.map((form) => [encodeAs(form, value), form] as const)]
}

/**
 * The base64 digits that depend on the value alone, wherever it is in the encoded text: one text
 * for each of its three possible offsets in a group of digits. Empty for values that are too short
 * to be distinctive.
 */
export function base64Cores(value: string): readonly string[] {
  const all = digitsOf(value) === undefined ? [bytesOf(value)] : [bytesOf(value), rawOf(value)]
  return all.flatMap((bytes) =>
    [0, 1, 2]
      .map((before) => {
        const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
        const end = Math.floor(((before + bytes.length) * 8) / 6)
        return whole.slice(Math.ceil((before * 8) / 6), end)
      })
      .filter((core) => core.length >= shortestCore),
  )
}

/** All texts that reveal a value without decoding, including base64 of either alphabet. */
export function textsOf(value: string): readonly string[] {
  const cores = base64Cores(value)
  return [
    ...new Set([
      ...formsOf(value).map(([text]) => text),
      ...cores,
      ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ]
}

/** Whether base64 in a text encodes the value at any position. */
export function isWithinBase64(text: string, value: string): boolean {
  const digits = text.replaceAll('-', '+').replaceAll('_', '/')
  return base64Cores(value).some((core) => digits.includes(core))
}
