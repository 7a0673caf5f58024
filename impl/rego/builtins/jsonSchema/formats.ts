import { parseAddress } from '../net/cidr.ts'

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/i

const isDate = (text: string): boolean =>
  DATE.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

/** Validators of `format`; unknown formats are not validated. */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['time', (text) => TIME.test(text)],
  [
    'date-time',
    (text) =>
      /[t ]/i.test(text[10] ?? '') && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)),
  ],
  ['ipv4', (text) => parseAddress(text)?.bits === 32],
  ['ipv6', (text) => parseAddress(text)?.bits === 128],
  ['email', (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text)],
  [
    'hostname',
    (text) =>
      text.length < 254 && /^[a-z\d]([a-z\d-]{0,62})(\.[a-z\d][a-z\d-]{0,62})*\.?$/i.test(text),
  ],
  ['uri', (text) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text)],
  ['uri-reference', (text) => /^[^\s<>"{}|\\^`]*$/.test(text)],
  ['uuid', (text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)],
  ['json-pointer', (text) => /^(\/([^~/]|~[01])*)*$/.test(text)],
])
