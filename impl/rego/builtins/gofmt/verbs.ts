import { toHex } from '#platform'
import { goQuote } from '../../values/display.ts'
import { bytesIn } from '../bytes.ts'
import { formatDouble } from './decimal.ts'
import { type Argument, pad, type Spec, typeOf } from './pad.ts'

/** Formats one argument with one verb. */
export function formatValue(arg: Argument, verb: string, spec: Spec): string {
  if (verb === 'T') return pad(typeOf(arg), spec, false)
  const text =
    arg.type === 'string'
      ? formatString(arg.value, verb, spec)
      : arg.type === 'float64'
        ? formatFloat(arg.value, verb, spec)
        : formatInteger(arg, verb, spec)
  if (text !== undefined) return text
  return `%!${verb}(${typeOf(arg)}=${formatValue(arg, 'v', spec)})`
}

const truncate = (text: string, precision: number | undefined): string =>
  precision === undefined || text.length <= precision
    ? text
    : [...text].slice(0, precision).join('')

function formatString(text: string, verb: string, spec: Spec): string | undefined {
  switch (verb) {
    case 'v':
      if (spec.sharp) return pad(goQuote(text), spec)
      return pad(truncate(text, spec.precision), spec)
    case 's':
      return pad(truncate(text, spec.precision), spec)
    case 'q': {
      const kept = truncate(text, spec.precision)
      const quoted = goQuote(kept)
      return pad(spec.sharp && !/[`\p{Cc}]/u.test(kept) ? `\`${kept}\`` : quoted, spec)
    }
    case 'x':
    case 'X':
      return pad(hexOf(text, verb, spec), spec)
    default:
      return undefined
  }
}

function hexOf(text: string, verb: string, spec: Spec): string {
  const all = bytesIn(text)
  const bytes = spec.precision === undefined ? all : all.subarray(0, spec.precision)
  const mark = spec.sharp ? '0x' : ''
  const hex = toHex(bytes)
  const spaced = spec.space
    ? mark + (hex.match(/../g) ?? []).join(spec.sharp ? ' 0x' : ' ')
    : hex === ''
      ? ''
      : mark + hex
  return verb === 'X' ? spaced.toUpperCase() : spaced
}

/** Sign first, then the padding with zeros. */
function signed(negative: boolean, digits: string, spec: Spec): string {
  const sign = negative ? '-' : spec.plus ? '+' : spec.space ? ' ' : ''
  if (!spec.zero || spec.width === undefined) return pad(sign + digits, spec, false)
  return sign + digits.padStart(spec.width - sign.length, '0')
}

const BASES: Readonly<Record<string, readonly [number, string]>> = {
  b: [2, '0b'],
  o: [8, '0'],
  O: [8, '0o'],
  d: [10, ''],
  v: [10, ''],
  x: [16, '0x'],
  X: [16, '0X'],
}

function formatInteger(
  arg: Extract<Argument, { readonly type: 'int64' | 'big' }>,
  verb: string,
  spec: Spec,
): string | undefined {
  const { value, type } = arg
  // The formatter of *big.Int treats %s as decimal.
  const base = BASES[type === 'big' && verb === 's' ? 'd' : verb]
  if (base === undefined) return type === 'int64' ? formatRune(value, verb, spec) : undefined
  const [radix, mark] = base
  const magnitude = (value < 0n ? -value : value).toString(radix)
  let digits = verb === 'X' ? magnitude.toUpperCase() : magnitude
  if (spec.precision !== undefined) {
    if (spec.precision === 0 && value === 0n) return pad('', spec, false)
    digits = digits.padStart(spec.precision, '0')
  }
  const wide = spec.precision !== undefined ? { ...spec, zero: false } : spec
  const prefix = verb === 'O' ? '0o' : spec.sharp ? mark : ''
  // Go pads with zeros before it adds the prefix
  if (prefix !== '' && wide.zero && spec.width !== undefined) {
    const sign = value < 0n || spec.plus || spec.space ? 1 : 0
    return signed(value < 0n, prefix + digits.padStart(spec.width - sign, '0'), {
      ...wide,
      zero: false,
    })
  }
  return signed(
    value < 0n,
    prefix === '0' && digits.startsWith('0') ? digits : prefix + digits,
    wide,
  )
}

const rune = (value: bigint): string =>
  value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value < 0xe000n)
    ? String.fromCodePoint(Number(value))
    : '\ufffd'

function formatRune(value: bigint, verb: string, spec: Spec): string | undefined {
  switch (verb) {
    case 'c':
      return pad(rune(value), spec)
    case 'q': {
      const quoted = goQuote(rune(value)).slice(1, -1)
      return pad(quoted === "'" ? "'\\''" : `'${quoted === '\\"' ? '"' : quoted}'`, spec)
    }
    case 'U': {
      const code = BigInt.asUintN(64, value).toString(16).toUpperCase()
      const text = `U+${code.padStart(Math.max(4, spec.precision ?? 4), '0')}`
      return pad(spec.sharp ? `${text} '${rune(value)}'` : text, spec, false)
    }
    default:
      return undefined
  }
}

function formatFloat(value: number, verb: string, spec: Spec): string | undefined {
  switch (verb) {
    case 'v':
      return signed(value < 0, formatDouble(value, 'g', spec.precision ?? -1), spec)
    case 'g':
    case 'G':
      return signed(value < 0, formatDouble(value, verb, spec.precision ?? -1), spec)
    case 'e':
    case 'E':
      return signed(value < 0, formatDouble(value, verb, spec.precision ?? 6), spec)
    case 'f':
    case 'F':
      return signed(value < 0, formatDouble(value, 'f', spec.precision ?? 6), spec)
    default:
      return undefined
  }
}
