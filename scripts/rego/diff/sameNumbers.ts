import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { isArray, isObject, isSet, type Value } from 'polgate-rego/values/value.ts'
import type { Answer } from './answers.ts'

/** Digits and the power of ten that they are multiplied by. */
type Decimal = { readonly digits: bigint; readonly power: number }

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g

function decimalOf(text: string): Decimal {
  const [, whole = '0', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length }
}

/** More digits are not compared: such a number is equal to itself only. */
const MAX_POWER = 2_000

/** Numbers of this size or more may differ after these digits. */
type Rounding = { readonly from: bigint; readonly digits: number }

/** Whether two numbers are equal, or equal but for rounding. */
function isSame(a: string, b: string, rounding: Rounding | undefined): boolean {
  if (a === b) return true
  const [one, other] = [decimalOf(a), decimalOf(b)]
  const power = Math.min(one.power, other.power)
  if (Math.max(one.power, other.power) - power > MAX_POWER) return false
  const whole = ({ digits, power: own }: Decimal): bigint => digits * 10n ** BigInt(own - power)
  const [x, y] = [whole(one), whole(other)]
  if (rounding === undefined || x === y) return x === y
  const size = (value: bigint): bigint => (value < 0n ? -value : value)
  // A fraction is not rounded as an integer is.
  if (power < 0 || size(x) * 10n ** BigInt(power) < rounding.from) return false
  return size(x - y) * 10n ** BigInt(rounding.digits) <= size(x)
}

const compare =
  (rounding?: Rounding) =>
  (ours: Answer, theirs: Answer): boolean =>
    ours.kind === 'value' &&
    theirs.kind === 'value' &&
    isAlike(parseJson(ours.text), parseJson(theirs.text), rounding)

/** Values that are the same as soon as each number has one form, also in texts. */
export const sameNumbers = compare()

/** The same but for digits of integers that 64-bit floats lack. */
export const sameButDigitsOfFloats = compare({ from: 2n ** 53n, digits: 14 })

function isAlike(a: Value, b: Value, rounding: Rounding | undefined): boolean {
  if (isNumber(a) && isNumber(b)) return isSame(String(a), String(b), rounding)
  if (typeof a === 'string' && typeof b === 'string') return isAlikeText(a, b, rounding)
  if (isArray(a) && isArray(b))
    return a.length === b.length && a.every((each, i) => isAlike(each, b[i]!, rounding))
  if (a === null || typeof a !== 'object' || isArray(a) || isSet(a)) return a === b
  if (b === null || typeof b !== 'object' || !isObject(a) || !isObject(b)) return false
  const others = b.entries()
  // Names are in order, but for those that are other texts of numbers.
  return (
    a.size === b.size &&
    a
      .entries()
      .every(([name, each]) =>
        others.some(
          ([key, value]) => isAlike(name, key, rounding) && isAlike(each, value, rounding),
        ),
      )
  )
}

const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

function isAlikeText(a: string, b: string, rounding: Rounding | undefined): boolean {
  if (a.replace(NUMBER, '0') !== b.replace(NUMBER, '0')) return false
  const others = b.match(NUMBER) ?? []
  return (a.match(NUMBER) ?? []).every((each, i) => isSame(each, others[i]!, rounding))
}
