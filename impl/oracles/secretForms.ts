/** Ways in which a value travels. Each is named in recordings, and can be made again from the value. */
export type FormName = keyof typeof encoders

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const bytesOf = (text: string) => Buffer.from(text, 'utf8')
const lowerEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase())
/** Half a surrogate pair has no escaped form. */
const escaped = (text: string) => encodeURIComponent(Buffer.from(text).toString('utf8'))

const encoders = {
  json: inJson,
  'json-ascii': (text: string) =>
    inJson(text).replace(
      /[\u0080-\uffff]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'json-slashes': (text: string) => inJson(text).replaceAll('/', '\\/'),
  /** How a header shows text that is not of its alphabet. */
  latin1: (text: string) => bytesOf(text).toString('latin1'),
  url: escaped,
  'url-lower': (text: string) => lowerEscapes(escaped(text)),
  form: (text: string) => new URLSearchParams([['', text]]).toString().slice(1),
  base64: (text: string) => bytesOf(text).toString('base64'),
  'base64-bare': (text: string) => bytesOf(text).toString('base64').replace(/=+$/, ''),
  base64url: (text: string) => bytesOf(text).toString('base64url'),
  hex: (text: string) => bytesOf(text).toString('hex'),
  'hex-upper': (text: string) => bytesOf(text).toString('hex').toUpperCase(),
} as const

export const isFormName = (name: string): name is FormName => Object.hasOwn(encoders, name)

export const encodeAs = (form: FormName, text: string): string => encoders[form](text)

/** Shorter values are looked for as they are: their other forms are there by chance. */
const shortest = 4
const shortestCore = 8

/** The texts in which a value may stand, with the form that each is; undefined for the value itself. */
export function formsOf(value: string): readonly (readonly [string, FormName | undefined])[] {
  const all = Object.keys(encoders) as FormName[]
  const forms = value.length < shortest ? (['json', 'url'] as const) : all
  return [[value, undefined], ...forms.map((form) => [encodeAs(form, value), form] as const)]
}

const base64Forms = ['base64', 'base64-bare', 'base64url'] as const

/** Text that a word of base64 stands for, and its form; undefined for a word that is none. */
export function decodedBase64(
  word: string,
): { readonly text: string; readonly form: FormName } | undefined {
  const text = Buffer.from(word, 'base64').toString('utf8')
  const form = base64Forms.find((each) => encodeAs(each, text) === word)
  return form === undefined ? undefined : { text, form }
}

/**
 * The digits of base64 that depend on a value alone, wherever in the encoded text it stands: one
 * text for each of the three places within a group of digits where it may begin. Empty for values
 * that are too short to be told from other digits.
 */
export function base64Cores(value: string): readonly string[] {
  const bytes = bytesOf(value)
  return [0, 1, 2]
    .map((before) => {
      const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
      return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    })
    .filter((core) => core.length >= shortestCore)
}

/** Whether base64 in a text holds a value somewhere within what it stands for. */
export function isWithinBase64(text: string, value: string): boolean {
  const digits = text.replaceAll('-', '+').replaceAll('_', '/')
  return base64Cores(value).some((core) => digits.includes(core))
}
