import { BuiltinError } from '../../errors.ts'

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
])

const MAX = 2n ** 63n

/**
 * Parses a Go duration, `1h15m30.5s`, to nanoseconds.
 *
 * @throws BuiltinError
 */
export function parseDuration(text: string): bigint {
  const problem = (what: string): BuiltinError =>
    new BuiltinError(`time: ${what} ${JSON.stringify(text)}`)
  const negative = text.startsWith('-')
  let rest = text.replace(/^[+-]/, '')
  if (rest === '0') return 0n
  if (rest === '') throw problem('invalid duration')
  let total = 0n
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?([^.\d]*)/.exec(rest)
    const [all = '', whole = '', fraction = '', unit = ''] = match ?? []
    if (whole === '' && fraction === '') throw problem('invalid duration')
    if (whole.length > 20 || fraction.length > 100) throw problem('invalid duration')
    if (unit === '') throw problem('missing unit in duration')
    const scale = UNITS.get(unit)
    if (scale === undefined) {
      throw problem(`unknown unit ${JSON.stringify(unit)} in duration`)
    }
    total += BigInt(whole || '0') * scale
    total += (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length)
    if (total > MAX || (!negative && total === MAX)) throw problem('invalid duration')
    rest = rest.slice(all.length)
  }
  return negative ? -total : total
}
