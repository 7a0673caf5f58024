import { escapeChar, goQuote } from '../../values/display.ts'
import { type Argument, pad, type Spec } from './pad.ts'
import { quoteAscii } from './strings.ts'

type Integer = Extract<Argument, { readonly type: 'int64' | 'big' }>

/** The base and the prefix of `#`. */
const BASES: Readonly<Record<string, readonly [number, string]>> = {
  b: [2, '0b'],
  o: [8, '0'],
  O: [8, '0o'],
  d: [10, ''],
  v: [10, ''],
  x: [16, '0x'],
  X: [16, '0X'],
}

/** An integer with a verb; undefined if the verb is not for integers. */
export function formatInteger(
  { value, type }: Integer,
  verb: string,
  spec: Spec,
): string | undefined {
  // *big.Int formats itself: %s is decimal, and %+v has a sign.
  if (type === 'big') return formatBig(value, verb === 's' ? 'd' : verb, spec)
  const base = BASES[verb]
  if (base === undefined) return formatRune(value, verb, spec)
  const [radix, mark] = base
  const sign = value < 0n ? '-' : spec.plus ? '+' : spec.space ? ' ' : ''
  let digits = digitsOf(value, radix, verb)
  if (spec.precision !== undefined) {
    if (spec.precision === 0 && value === 0n) return pad('', spec, false)
    digits = digits.padStart(spec.precision, '0')
  } else if (spec.zero && !spec.minus && spec.width !== undefined) {
    // Go pads before it adds the prefix, which then exceeds the width.
    digits = digits.padStart(spec.width - sign.length, '0')
  }
  return pad(`${sign}${prefixOf(verb, mark, digits, spec)}${digits}`, spec, false)
}

function prefixOf(verb: string, mark: string, digits: string, { sharp }: Spec): string {
  if (radixIsEight(verb)) {
    const zero = sharp && !digits.startsWith('0') ? '0' : ''
    return verb === 'O' ? `0o${zero}` : zero
  }
  return sharp ? mark : ''
}

const radixIsEight = (verb: string): boolean => verb === 'o' || verb === 'O'

function digitsOf(value: bigint, radix: number, verb: string): string {
  const digits = (value < 0n ? -value : value).toString(radix)
  return verb === 'X' ? digits.toUpperCase() : digits
}

function formatBig(value: bigint, verb: string, spec: Spec): string | undefined {
  const base = BASES[verb]
  if (base === undefined) return `%!${verb}(big.Int=${value})`
  const [radix, mark] = base
  const sign = value < 0n ? '-' : spec.plus || spec.plusV ? '+' : spec.space ? ' ' : ''
  const prefix = verb === 'O' ? '0o' : spec.sharp || spec.sharpV ? mark : ''
  let digits = digitsOf(value, radix, verb)
  if (spec.precision !== undefined) digits = digits.padStart(spec.precision, '0')
  else if (spec.zero && !spec.minus && spec.width !== undefined) {
    digits = digits.padStart(spec.width - sign.length - prefix.length, '0')
  }
  return pad(sign + prefix + digits, spec, false)
}

const isCharacter = (value: bigint): boolean => value >= 0n && value <= 0x10ffffn

const rune = (value: bigint): string =>
  isCharacter(value) && !(value >= 0xd800n && value < 0xe000n)
    ? String.fromCodePoint(Number(value))
    : '\ufffd'

const isPrinted = (char: string): boolean =>
  char === '"' || char === '\\' || goQuote(char).slice(1, -1) === char

function formatRune(value: bigint, verb: string, spec: Spec): string | undefined {
  switch (verb) {
    case 'c':
      return pad(rune(value), spec)
    case 'q':
      return pad(quoteRune(rune(value), spec.plus), spec)
    case 'U': {
      const code = BigInt.asUintN(64, value).toString(16).toUpperCase()
      const text = `U+${code.padStart(Math.max(4, spec.precision ?? 4), '0')}`
      const shown = spec.sharp && isCharacter(value) && isPrinted(rune(value))
      return pad(shown ? `${text} '${rune(value)}'` : text, spec, false)
    }
    default:
      return undefined
  }
}

/** A character in single quotes. */
function quoteRune(char: string, ascii: boolean): string {
  if (char === "'") return "'\\''"
  if (char === '"') return `'"'`
  const quoted = ascii ? quoteAscii(char) : goQuote(char)
  return `'${quoted.slice(1, -1) || escapeChar(char)}'`
}
