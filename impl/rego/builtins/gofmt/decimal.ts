/** Digits of a number: 0.d1d2d3... × 10^point, without leading and trailing zeros; '' for zero. */
export type Digits = { readonly digits: string; readonly point: number }

function trimmed(digits: string, point: number): Digits {
  const start = digits.search(/[^0]/)
  return start < 0
    ? { digits: '', point: 0 }
    : { digits: digits.slice(start).replace(/0+$/, ''), point: point - start }
}

/** All digits of a finite double, exactly. */
export function exactDigits(value: number): Digits {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, Math.abs(value))
  const bits = view.getBigUint64(0)
  const biased = Number(bits >> 52n)
  const mantissa = (bits & ((1n << 52n) - 1n)) | (biased === 0 ? 0n : 1n << 52n)
  const exponent = Math.max(biased, 1) - 1075
  if (exponent >= 0) {
    const digits = (mantissa << BigInt(exponent)).toString()
    return trimmed(digits, digits.length)
  }
  // m / 2^k = m * 5^k / 10^k
  const digits = (mantissa * 5n ** BigInt(-exponent)).toString()
  return trimmed(digits, digits.length + exponent)
}

/** The shortest digits that identify the double. */
export function shortestDigits(value: number): Digits {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return trimmed(whole + fraction, whole.length + Number(exponent))
}

/** Rounds half to even, to `count` digits. */
export function roundDigits({ digits, point }: Digits, count: number): Digits {
  if (count >= digits.length) return { digits, point }
  if (count < 0) return { digits: '', point: 0 }
  const kept = digits.slice(0, count)
  const rest = digits.slice(count)
  const odd = count > 0 && Number(kept[count - 1]) % 2 === 1
  const up = rest[0]! > '5' || (rest[0] === '5' && (rest.length > 1 || odd))
  if (!up) return trimmed(kept, point)
  const next = (BigInt(kept || '0') + 1n).toString().padStart(count, '0')
  return trimmed(next, point + next.length - count)
}

/** `%e`: one digit, `precision` digits, an exponent of at least two digits. */
export function formatExponent(value: Digits, precision: number, e: string): string {
  const digits = value.digits.padEnd(precision + 1, '0')
  const exponent = value.digits === '' ? 0 : value.point - 1
  const fraction = precision > 0 ? `.${digits.slice(1, precision + 1)}` : ''
  const sign = exponent < 0 ? '-' : '+'
  return `${digits[0] ?? '0'}${fraction}${e}${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** `%f`. */
export function formatFixed(value: Digits, precision: number): string {
  const whole = value.point > 0 ? value.digits.slice(0, value.point).padEnd(value.point, '0') : '0'
  if (precision === 0) return whole
  const fraction =
    value.point > 0 ? value.digits.slice(value.point) : '0'.repeat(-value.point) + value.digits
  return `${whole}.${fraction.padEnd(precision, '0').slice(0, precision)}`
}

/**
 * A double without its sign as `%e`, `%f` or `%g` with a precision, or the shortest form for -1.
 */
export function formatDouble(
  value: number,
  verb: 'e' | 'E' | 'f' | 'g' | 'G',
  precision: number,
): string {
  const shortest = precision < 0
  const all = shortest ? shortestDigits(value) : exactDigits(value)
  switch (verb) {
    case 'e':
    case 'E': {
      const digits = shortest ? all : roundDigits(all, precision + 1)
      return formatExponent(
        digits,
        shortest ? Math.max(digits.digits.length - 1, 0) : precision,
        verb,
      )
    }
    case 'f': {
      const digits = shortest ? all : roundDigits(all, all.point + precision)
      return formatFixed(
        digits,
        shortest ? Math.max(digits.digits.length - digits.point, 0) : precision,
      )
    }
    default: {
      const digits = shortest ? all : roundDigits(all, Math.max(precision, 1))
      const count = digits.digits.length
      const wide = Math.max(precision, 1)
      const limit = shortest ? 6 : wide > count && count >= digits.point ? count : wide
      const exponent = digits.point - 1
      if (exponent < -4 || exponent >= limit) {
        return formatExponent(digits, Math.max(count - 1, 0), verb === 'G' ? 'E' : 'e')
      }
      return formatFixed(digits, Math.max(count - digits.point, 0))
    }
  }
}
