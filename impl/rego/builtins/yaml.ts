import {
  Document,
  isScalar,
  parseAllDocuments,
  Scalar,
  type ScalarTag,
  type Tags,
  visit,
} from 'yaml'
import { BuiltinError, RegoError } from '../errors.ts'
import { fromJson, jsonEntries } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { isArray, isComposite, type Value } from '../values/value.ts'
import { wellFormed } from '../values/wellFormed.ts'
import { decodeBase64 } from './base64.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { textOf } from './bytes.ts'
import { chargeText } from './json.ts'
import { asString } from './operands.ts'
import { ANY, BOOLEAN, STRING } from './types.ts'
import { checkCharacters } from './yamlCharacters.ts'
import { compareYamlKeys } from './yamlKeys.ts'
import { yamlNesting } from './yamlNesting.ts'

/** Longer texts are rejected: parsing YAML takes about a microsecond per character. */
const MAX_TEXT = 1_048_576

/** Deeper documents are rejected: parsing and printing use much stack per level. */
const MAX_NESTING = 200

const BINARY: ScalarTag = {
  tag: 'tag:yaml.org,2002:binary',
  resolve: (text) => wellFormed(textOf(decodeBase64(text.replace(/\s/g, '')))),
}

/** `0o17`, which is not in YAML 1.1 but in Go's parser. */
const OCTAL: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0[oO][0-7_]+$/,
  resolve: (text) => {
    const digits = BigInt(`0o${text.replace(/^[-+]?0[oO]/, '').replaceAll('_', '')}`)
    return text.startsWith('-') ? -digits : digits
  },
}

const NOT_IN_GO = /:(?:timestamp|binary|omap|pairs|set)$/

/** YAML 1.1 as in Go's parser: no dates, no sexagesimal numbers, no sets. */
const tags = (all: Tags): Tags => [
  ...all.filter(
    (tag) =>
      typeof tag === 'object' &&
      !NOT_IN_GO.test(tag.tag) &&
      !('format' in tag && tag.format === 'TIME'),
  ),
  OCTAL,
  BINARY,
]

const OPTIONS = { version: '1.1', customTags: tags, logLevel: 'error' } as const

const tooDeep = (): BuiltinError => new BuiltinError('yaml: document nests too deeply')

function problem(error: unknown): unknown {
  if (error instanceof RangeError) return tooDeep()
  if (error instanceof BuiltinError || error instanceof RegoError) return error
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error)
  return new BuiltinError(`yaml: ${message}`, undefined, { cause: error })
}

/** Keys become strings, as in JSON; null and collections cannot. */
function keyOf(key: unknown): string {
  if (typeof key === 'object') throw new BuiltinError('yaml: unsupported map key')
  if (typeof key !== 'number' || Number.isFinite(key)) return String(key)
  return Number.isNaN(key) ? '.nan' : key < 0 ? '-.inf' : '.inf'
}

function fromYaml(ctx: BuiltinContext, data: unknown, depth = 0): Value {
  ctx.meter.charge(1)
  ctx.meter.allocate(32)
  if (depth > MAX_NESTING) throw tooDeep()
  if (Array.isArray(data)) return data.map((item) => fromYaml(ctx, item, depth + 1))
  if (!(data instanceof Map)) return fromJson(data ?? null)
  const object = new RegoObject()
  for (const [key, item] of data) object.set(keyOf(key), fromYaml(ctx, item, depth + 1))
  return object
}

/** A text block ends with a line break only if the text that it is in does. */
function endWithoutBreak(document: Document.Parsed, length: number): void {
  visit(document, {
    Scalar: (_, node) => {
      const { type, range, value } = node
      const isBlock = type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED
      if (isBlock && range?.[1] === length && typeof value === 'string') {
        node.value = value.replace(/\n$/, '')
      }
    },
  })
}

/** At the start of a text: the byte order mark, which may be repeated once. */
const BYTE_ORDER_MARK = /^\ufeff{1,2}/

/** An end of a document before any begins. */
const END_WITHOUT_DOCUMENT = /^(?:[ \t]*(?:#.*)?\n)*\.\.\.(?=\s|$)/

function read(ctx: BuiltinContext, whole: string): Value {
  const text = whole.replace(BYTE_ORDER_MARK, '')
  ctx.meter.charge(text.length * 4)
  ctx.meter.allocate(text.length * 32)
  if (text.length > MAX_TEXT) {
    throw new BuiltinError(`yaml: document is longer than ${MAX_TEXT} characters`)
  }
  checkCharacters(text)
  if (yamlNesting(text) > MAX_NESTING) throw tooDeep()
  if (END_WITHOUT_DOCUMENT.test(text)) {
    throw new BuiltinError('yaml: did not find expected node content')
  }
  try {
    const all = parseAllDocuments(text, { ...OPTIONS, intAsBigInt: true, uniqueKeys: false })
    const first = Array.isArray(all) ? all[0] : undefined
    const warnings = 'empty' in all ? all.warnings : (first?.warnings ?? [])
    if (warnings.some(({ code }) => code === 'BAD_DIRECTIVE')) {
      throw new BuiltinError('yaml: found unknown directive name')
    }
    if (first === undefined) return null
    const [error] = first.errors
    if (error !== undefined) throw error
    if (!text.endsWith('\n')) endWithoutBreak(first, text.length)
    return fromYaml(ctx, first.toJS({ mapAsMap: true, maxAliasCount: 100 }))
  } catch (error) {
    throw problem(error)
  }
}

/** What Go's package calls printable: other characters make a text one in double quotes, with escapes. */
const UNPRINTABLE = /[^\n -~\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...(['0', 'a', 'b', 't', 'n', 'v', 'f', 'r', 'e'] as const).map(
    (letter, at) => ['\0\x07\b\t\n\v\f\r\x1b'[at]!, `\\${letter}`] as const,
  ),
  ...([
    ['"', '\\"'],
    ['\\', '\\\\'],
    ['\x85', '\\N'],
    ['\u2028', '\\L'],
    ['\u2029', '\\P'],
  ] as const),
])

/** A character in double quotes: `\t`, `\x01`, `\ufeff` or `\U0001F600`. */
function escaped(character: string, all: boolean): string {
  const code = character.codePointAt(0)!
  const hex = code.toString(16).toUpperCase()
  const short = ESCAPES.get(character)
  if (short !== undefined) return short
  if (!all && !UNPRINTABLE.test(character)) return character
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

const UNPRINTABLE_TEXT: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && UNPRINTABLE.test(value),
  resolve: (text) => text,
  stringify: ({ value }) => {
    const text = String(value)
    // Go's package then takes each character for the mark.
    const all = text.startsWith('\ufeff')
    return `"${[...text].map((each) => escaped(each, all)).join('')}"`
  },
}

const WRITING = { ...OPTIONS, customTags: (all: Tags): Tags => [UNPRINTABLE_TEXT, ...tags(all)] }

/** Names of members by the order in which they are written; those of JSON are sorted already. */
type Order = ((a: string, b: string) => number) | undefined

function toYaml(value: Value, order: Order, depth = 0): unknown {
  if (typeof value === 'string') return wellFormed(value)
  if (!isComposite(value)) return value
  if (depth > MAX_NESTING) throw tooDeep()
  const inner = (item: Value): unknown => toYaml(item, order, depth + 1)
  if (isArray(value)) return value.map(inner)
  if (value.kind === 'set') return value.values().map(inner)
  const entries = jsonEntries(value).map(([key, item]) => [wellFormed(key), inner(item)] as const)
  return new Map(order === undefined ? entries : entries.sort(([a], [b]) => order(a, b)))
}

/** What a text would be without quotes; undefined if it cannot be so. */
function plainValue(text: string): unknown {
  try {
    const plain = parseAllDocuments(text, OPTIONS)
    return Array.isArray(plain) ? plain[0]?.toJS() : undefined
  } catch (error) {
    // An alias without an anchor.
    if (error instanceof ReferenceError) return undefined
    throw error
  }
}

/** Texts that Go's package reads as a time, or as a number of base 60. */
const RESOLVED =
  /^(?:\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?)$/

const orderOf =
  (ctx: BuiltinContext): Order =>
  (a, b) => {
    ctx.meter.charge((a.length + b.length) / 16 + 1)
    return compareYamlKeys(a, b)
  }

/** Texts that would be parsed as another type are in double quotes, others in single quotes. */
function write(ctx: BuiltinContext, value: Value): string {
  chargeText(ctx, value)
  ctx.meter.charge(64)
  try {
    const order = ctx.dialect === 'opa-1.2' ? orderOf(ctx) : undefined
    const document = new Document(toYaml(value, order), WRITING)
    visit(document, {
      Scalar: (_, node) => {
        if (!isScalar(node) || typeof node.value !== 'string') return
        // A parser would skip spaces around it.
        const read = /^ | $/.test(node.value) ? undefined : plainValue(node.value.slice(0, 64))
        const ambiguous =
          node.value === '' ||
          RESOLVED.test(node.value) ||
          (read !== undefined && typeof read !== 'object' && typeof read !== 'string') ||
          read === null
        if (ambiguous) node.type = Scalar.QUOTE_DOUBLE
        // Go's package ends lines at separators, too.
        else if (/^ | $|[\x85\u2028\u2029]/.test(node.value) && !node.value.includes('\n')) {
          node.type = Scalar.QUOTE_SINGLE
        }
      },
    })
    const options = { indentSeq: false, lineWidth: 0, singleQuote: true } as const
    return document.toString(options).replace(/^ +(?=\S)/, '')
  } catch (error) {
    throw problem(error)
  }
}

function isValid(ctx: BuiltinContext, a: Value): Value {
  if (typeof a !== 'string') return false
  try {
    read(ctx, a)
    return true
  } catch (error) {
    if (error instanceof BuiltinError) return false
    throw error
  }
}

export const yamlBuiltins: readonly Builtin[] = [
  { name: 'yaml.marshal', args: [ANY], result: STRING, call: write },
  {
    name: 'yaml.unmarshal',
    args: [STRING],
    result: ANY,
    call: (ctx, a: Value) => read(ctx, asString(a, 1)),
  },
  { name: 'yaml.is_valid', args: [STRING], result: BOOLEAN, call: isValid },
]
