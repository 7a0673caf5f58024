import { compare, parse } from 'semver'
import { BuiltinError } from '../errors.ts'
import type { Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asString } from './operands.ts'
import { ANY, BOOLEAN, NUMBER, STRING } from './types.ts'

type Version = {
  readonly numbers: readonly bigint[]
  readonly preRelease: string
}

/** Of a pre-release or of build metadata; may be empty. */
const IDENTIFIERS = /^(?:[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/

/** A number as Go's ParseInt reads it: with sign and leading zeros, of 64 bits. */
function numberOf(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

/** The text before the first `separator`, and the one after it. */
function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** A version as OPA reads it: zeros in front and empty suffixes are allowed. */
function read(text: string): Version | undefined {
  const [version, metadata] = cut(text, '+')
  const [core, preRelease] = cut(version, '-')
  const [major = '', minor = '', ...patch] = core.split('.')
  const numbers = [major, minor, patch.join('.')].map(numberOf)
  if (!IDENTIFIERS.test(preRelease) || !IDENTIFIERS.test(metadata)) return undefined
  return numbers.every((each) => each !== undefined) ? { numbers, preRelease } : undefined
}

/** A version that the engine at 0.9 accepts: those of the specification. */
const isStrict = (text: string): boolean => /^\d.*\S$/.test(text) && parse(text) !== null

const isValid = (ctx: BuiltinContext, text: string): boolean =>
  ctx.dialect === 'opa-1.2' ? read(text) !== undefined : isStrict(text)

const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

function compareParts(a: string, b: string): number {
  const [x, y] = [numberOf(a), numberOf(b)]
  if ((x === undefined) !== (y === undefined)) return x === undefined ? 1 : -1
  // Equal numbers may still be different texts: `1` and `01`.
  return x === undefined || y === undefined || x === y ? order(a, b) : order(x, y)
}

function compareVersions(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    const decided = order(number, b.numbers[i] as bigint)
    if (decided !== 0) return decided
  }
  if ((a.preRelease === '') !== (b.preRelease === '')) return a.preRelease === '' ? 1 : -1
  const [x, y] = [a.preRelease.split('.'), b.preRelease.split('.')]
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const decided = compareParts(x[i] as string, y[i] as string)
    if (decided !== 0) return decided
  }
  return order(x.length, y.length)
}

function compareTexts(ctx: BuiltinContext, a: Value, b: Value): Value {
  const texts = [asString(a, 1), asString(b, 2)] as const
  const [x, y] = texts.map((text, i) => {
    ctx.meter.charge(1 + text.length / 8)
    if (isValid(ctx, text)) return read(text)
    throw new BuiltinError(`operand ${i + 1}: string ${JSON.stringify(text)} is not a valid SemVer`)
  })
  // The specification has numbers of any length.
  return x === undefined || y === undefined ? compare(...texts) : compareVersions(x, y)
}

export const semverBuiltins: readonly Builtin[] = [
  { name: 'semver.compare', args: [STRING, STRING], result: NUMBER, call: compareTexts },
  {
    name: 'semver.is_valid',
    args: [ANY],
    result: BOOLEAN,
    call: (ctx, a: Value) => typeof a === 'string' && isValid(ctx, a),
  },
]
