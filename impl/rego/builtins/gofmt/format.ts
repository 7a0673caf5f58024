import type { Meter } from '../../values/limits.ts'
import { type Argument, type Spec, typeOf } from './pad.ts'
import { formatValue } from './verbs.ts'

/** Go rejects larger widths and precisions. */
const MAX_WIDTH = 1_000_000

const BARE: Spec = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  plusV: false,
  sharpV: false,
  width: undefined,
  precision: undefined,
}

const FLAGS: Readonly<Record<string, 'minus' | 'plus' | 'sharp' | 'space' | 'zero'>> = {
  '#': 'sharp',
  '0': 'zero',
  '+': 'plus',
  '-': 'minus',
  ' ': 'space',
}

/**
 * Formats like Go's `fmt.Sprintf`, including its error texts: `%!d(string=a)`, `%!v(MISSING)`,
 * `%!(EXTRA int=2)`, `%!(BADWIDTH)`. Width and precision are charged.
 */
export const sprintf = (format: string, args: readonly Argument[], meter: Meter): string =>
  new Formatter(format, args, meter).run()

class Formatter {
  private readonly format: string
  private readonly args: readonly Argument[]
  private readonly meter: Meter
  private readonly out: string[] = []
  private at = 0
  private arg = 0
  private reordered = false
  private goodIndex = true
  private afterIndex = false

  constructor(format: string, args: readonly Argument[], meter: Meter) {
    this.format = format
    this.args = args
    this.meter = meter
  }

  run(): string {
    while (this.at < this.format.length) {
      const percent = this.format.indexOf('%', this.at)
      const end = percent < 0 ? this.format.length : percent
      if (end > this.at) this.write(this.format.slice(this.at, end))
      this.at = end
      if (percent >= 0) this.directive()
    }
    if (!this.reordered && this.arg < this.args.length) this.extra()
    return this.out.join('')
  }

  private write(text: string): void {
    this.meter.charge(1 + text.length / 16)
    this.meter.allocate(2 * text.length)
    this.out.push(text)
  }

  private directive(): void {
    this.at++
    this.goodIndex = true
    this.afterIndex = false
    const flags = this.flags()
    this.index()
    let { minus, zero } = flags
    let width: number | undefined
    if (this.format[this.at] === '*') {
      this.at++
      width = this.star()
      if (width === undefined) this.write('%!(BADWIDTH)')
      else if (width < 0) {
        width = -width
        minus = true
        zero = false
      }
      this.afterIndex = false
    } else {
      width = this.number()
      if (this.afterIndex && width !== undefined) this.goodIndex = false
    }
    const precision = this.precision()
    if (!this.afterIndex) this.index()
    const verb = this.format.codePointAt(this.at)
    if (verb === undefined) {
      this.write('%!(NOVERB)')
      return
    }
    const char = String.fromCodePoint(verb)
    this.at += char.length
    this.verb(char, { ...flags, minus, zero: zero && !minus, width, precision })
  }

  private verb(verb: string, spec: Spec): void {
    if (verb === '%') {
      this.write('%')
      return
    }
    if (!this.goodIndex) {
      this.write(`%!${verb}(BADINDEX)`)
      return
    }
    const arg = this.args[this.arg]
    if (arg === undefined) {
      this.write(`%!${verb}(MISSING)`)
      return
    }
    this.arg++
    const size = (spec.width ?? 0) + (spec.precision ?? 0)
    this.meter.charge(size / 16)
    this.meter.allocate(2 * size)
    if (arg.type === 'string') this.meter.allocate(4 * arg.value.length)
    const { plus, sharp } = spec
    const own =
      verb === 'v' || verb === 'w'
        ? { ...spec, plus: false, sharp: false, plusV: plus, sharpV: sharp }
        : spec
    this.write(formatValue(arg, verb, own))
  }

  private flags(): Spec {
    const spec: { -readonly [K in keyof Spec]: Spec[K] } = { ...BARE }
    for (; ; this.at++) {
      const flag = FLAGS[this.format[this.at] ?? '']
      if (flag === undefined) return spec
      spec[flag] = true
    }
  }

  private precision(): number | undefined {
    if (this.format[this.at] !== '.') return undefined
    this.at++
    if (this.afterIndex) this.goodIndex = false
    this.index()
    if (this.format[this.at] !== '*') return this.number() ?? 0
    this.at++
    const precision = this.star()
    this.afterIndex = false
    if (precision === undefined || precision < 0) {
      this.write('%!(BADPREC)')
      return undefined
    }
    return precision
  }

  private number(): number | undefined {
    const from = this.at
    let value = 0
    for (; this.at < this.format.length; this.at++) {
      const digit = this.format.charCodeAt(this.at) - 48
      if (!(digit >= 0 && digit <= 9)) break
      value = value * 10 + digit
      if (value > MAX_WIDTH) {
        this.at = this.format.length
        return undefined
      }
    }
    return this.at > from ? value : undefined
  }

  /** The argument of a `*`; undefined if it is not a usable integer. */
  private star(): number | undefined {
    const arg = this.args[this.arg]
    if (arg === undefined) return undefined
    this.arg++
    const value = arg.type === 'int64' ? Number(arg.value) : undefined
    return value !== undefined && Math.abs(value) <= MAX_WIDTH ? value : undefined
  }

  /** `[n]`: the next argument is the n-th. */
  private index(): void {
    if (this.format[this.at] !== '[') return
    this.reordered = true
    const text = /^\d{1,9}(?=\])/.exec(this.format.slice(this.at + 1, this.at + 12))?.[0] ?? ''
    const end = text === '' ? this.format.indexOf(']', this.at) : this.at + 1 + text.length
    // The search for the bracket may scan the rest of the format.
    if (text === '') this.meter.charge((this.format.length - this.at) / 64)
    const index = text === '' ? -1 : Number(text) - 1
    this.at = end < 0 ? this.at + 1 : end + 1
    if (index >= 0 && index < this.args.length) {
      this.arg = index
      this.afterIndex = true
    } else this.goodIndex = false
  }

  private extra(): void {
    const rest = this.args
      .slice(this.arg)
      .map((arg) => `${typeOf(arg)}=${formatValue(arg, 'v', BARE)}`)
    this.write(`%!(EXTRA ${rest.join(', ')})`)
  }
}
