import { isMap, isScalar, isSeq, parseAllDocuments, type ScalarTag, type Tags, visit } from 'yaml'
import type { Builtin } from './builtin.ts'
import { unavailable } from './operands.ts'
import { ANY, arrayOf } from './types.ts'

/** Members that are texts: a scalar of another type is read as it is written. */
const TEXTS: ReadonlySet<unknown> = new Set(['scope', 'title', 'description', 'organizations'])

/** Integers as Go writes them; longer ones are read as fractions, or are texts. */
const INTEGER: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(?:0x[\da-f][\da-f_]{0,15}|0b[01][01_]{0,62}|0o[0-7][0-7_]{0,20}|0[0-7_]{0,20}|[1-9][\d_]{0,17})$/i,
  resolve: (text) => {
    const digits = text.replace(/^[-+]|_/g, '').replace(/^0(?=\d)/, '0o')
    const integer = BigInt(digits)
    return text.startsWith('-') ? -integer : integer
  },
}

const FRACTION: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:\.\d[\d_]*|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
}

const MOMENT =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](?=.*(?:Z|[-+]\d\d:\d\d)$)| (?!.*(?:Z|[-+]\d\d:\d\d)$))(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d+))?(Z|[-+]\d\d:\d\d)?)?$/

/** Dates and moments, which become texts of RFC 3339. */
const MOMENTS: ScalarTag = {
  tag: 'tag:yaml.org,2002:timestamp',
  default: true,
  test: MOMENT,
  resolve: (text) => {
    const [, ...parts] = MOMENT.exec(text) ?? []
    const [year = '', month, day, hour, minute, second] = parts.map((part) =>
      (part ?? '').padStart(2, '0'),
    )
    const [fraction = '', zone = 'Z'] = parts.slice(6)
    const digits = fraction.slice(0, 9).replace(/0+$/, '')
    const moment = `${year}-${month}-${day}T${hour}:${minute}:${second}`
    // `2001-02-30` is a text: there is no such day.
    const date = new Date(`${moment}Z`)
    if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return text
    return `${moment}${digits && `.${digits}`}${zone === '+00:00' ? 'Z' : zone}`
  },
}

/** As version 3 of Go's YAML package, where `yes` is a boolean only if one is expected. */
const OPTIONS = {
  merge: true,
  customTags: (all: Tags): Tags => [INTEGER, FRACTION, MOMENTS, ...all],
  logLevel: 'error',
} as const

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((text) => [text, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((text) => [text, false] as const),
])

/** The first document, maps as `Map`. @throws for what is no YAML */
function readAnnotations(text: string): unknown {
  const documents = parseAllDocuments(text, OPTIONS)
  const document = Array.isArray(documents) ? documents[0] : undefined
  if (document === undefined) return null
  const [error] = document.errors
  if (error !== undefined) throw error
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.source === '') throw new Error('yaml: did not find expected key')
    },
  })
  for (const { key, value } of isMap(document.contents) ? document.contents.items : []) {
    const name = isScalar(key) ? key.value : undefined
    for (const each of isSeq(value) ? value.items : [value]) {
      if (!isScalar(each) || each.value === null) continue
      if (TEXTS.has(name)) each.value = each.source ?? each.value
      if (name === 'entrypoint') each.value = BOOLEANS.get(each.value) ?? each.value
    }
  }
  return document.toJS({ mapAsMap: true, maxAliasCount: 100 })
}

const ofRules = (): never => unavailable('only a rule has metadata')

/** The machine computes both, which it can for each rule when it builds it. */
export const metadataBuiltins: readonly Builtin[] = [
  {
    name: 'rego.metadata.chain',
    args: [],
    result: arrayOf(ANY),
    nondeterministic: true,
    readAnnotations,
    call: ofRules,
  },
  {
    name: 'rego.metadata.rule',
    args: [],
    result: ANY,
    nondeterministic: true,
    readAnnotations,
    call: ofRules,
  },
]
