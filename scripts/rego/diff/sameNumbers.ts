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

/** Whether two numbers are equal but for what follows their first digits; all digits if there is no such number. */
function isSame(a: string, b: string, digits: number | undefined): boolean {
  if (a === b) return true
  const [one, other] = [decimalOf(a), decimalOf(b)]
  const power = Math.min(one.power, other.power)
  if (Math.max(one.power, other.power) - power > MAX_POWER) return false
  const whole = ({ digits, power: own }: Decimal): bigint => digits * 10n ** BigInt(own - power)
  const [x, y] = [whole(one), whole(other)]
  if (digits === undefined) return x === y
  const size = (value: bigint): bigint => (value < 0n ? -value : value)
  return size(x - y) * 10n ** BigInt(digits) <= size(x)
}

const compare =
  (digits: number | undefined) =>
  (ours: Answer, theirs: Answer): boolean =>
    ours.kind === 'value' &&
    theirs.kind === 'value' &&
    isAlike(parseJson(ours.text), parseJson(theirs.text), digits)

/** Values that are the same as soon as each number has one form, also in texts. */
export const sameNumbers = compare(undefined)

/** The same but for digits of integers that OPA does not compute. */
export const sameButLastDigits = compare(18)

function isAlike(a: Value, b: Value, digits: number | undefined): boolean {
  if (isNumber(a) && isNumber(b)) return isSame(String(a), String(b), digits)
  if (typeof a === 'string' && typeof b === 'string') return isAlikeText(a, b, digits)
  if (isArray(a) && isArray(b))
    return a.length === b.length && a.every((each, i) => isAlike(each, b[i]!, digits))
  if (a === null || typeof a !== 'object' || isArray(a) || isSet(a)) return a === b
  if (b === null || typeof b !== 'object' || !isObject(a) || !isObject(b)) return false
  const others = b.entries()
  // Names are in order, but for those that are other texts of numbers.
  return (
    a.size === b.size &&
    a
      .entries()
      .every(([name, each]) =>
        others.some(([key, value]) => isAlike(name, key, digits) && isAlike(each, value, digits)),
      )
  )
}

const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

function isAlikeText(a: string, b: string, digits: number | undefined): boolean {
  if (a.replace(NUMBER, '0') !== b.replace(NUMBER, '0')) return false
  const others = b.match(NUMBER) ?? []
  return (a.match(NUMBER) ?? []).every((each, i) => isSame(each, others[i]!, digits))
}
