import { BuiltinError } from '../../errors.ts'
import type { BuiltinContext } from '../builtin.ts'
import { parseUrl, type Url } from '../goUrl.ts'
import { parseAddress } from '../net/cidr.ts'
import { compileRegex } from '../regex.ts'
import { RFC3339 } from '../time/layout.ts'
import { parseTime } from '../time/parse.ts'
import { isEmail } from './email.ts'

type Format = (text: string, ctx: BuiltinContext) => boolean

/** What does not fail with the error of a built-in. */
function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch (error) {
    if (!(error instanceof BuiltinError)) throw error
    return false
  }
}

const time =
  (...layouts: readonly string[]): Format =>
  (text) =>
    layouts.some((layout) => succeeds(() => parseTime(layout, text)))

const pattern =
  (regex: RegExp): Format =>
  (text) =>
    regex.test(text)

const address =
  (sign: string): Format =>
  (text) =>
    text.includes(sign) && parseAddress(text) !== undefined

const url =
  (isOf: (parsed: Url) => boolean): Format =>
  (text) => {
    const parsed = text.includes('\\') ? undefined : parseUrl(text)
    return parsed !== undefined && isOf(parsed)
  }
const reference = url(() => true)
const absolute = url(({ scheme }) => scheme !== '')

const HOURS = ['15:04:05', '15:04:05Z07:00'] as const
const DAY = '2006-01-02'
const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'

/** Validators of `format`, as OPA has them; unknown formats are not validated. */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['date', time(DAY)],
  ['time', time(...HOURS)],
  ['date-time', time(...HOURS, DAY, RFC3339)],
  ['ipv4', address('.')],
  ['ipv6', address(':')],
  ['email', isEmail],
  ['idn-email', isEmail],
  ['hostname', pattern(new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'i'))],
  ['uri', absolute],
  ['iri', absolute],
  ['uri-reference', reference],
  ['iri-reference', reference],
  ['uri-template', url(({ path }) => /^(?:[^{]|\{[^}]*\})*$/.test(path))],
  ['uuid', pattern(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i)],
  ['regex', (text, ctx) => succeeds(() => compileRegex(ctx, text))],
  ['json-pointer', pattern(/^(?:\/(?:[^~/]|~[01])*)*$/)],
  ['relative-json-pointer', pattern(/^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/)],
])
