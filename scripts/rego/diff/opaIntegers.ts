import { isArray, isSet, type Value } from 'polgate-rego/values/value.ts'

/** Bits of an integer that OPA computes with. */
const BITS = 64

type Operation = (a: bigint, b: bigint) => bigint

const BINARY: Readonly<Record<string, Operation>> = {
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  mul: (a, b) => a * b,
}

/** Their results have all digits. */
const WHOLE: Readonly<Record<string, (a: bigint) => bigint>> = {
  floor: (a) => a,
  ceil: (a) => a,
  // Half is added, which may round the integer up.
  round: (a) => roundedByOpa(2n * a + (a < 0n ? -1n : 1n)) / 2n,
}

const abs = (a: bigint): bigint => (a < 0n ? -a : a)

/** Built-ins that combine all members, and with what they begin. */
const OF_MEMBERS: Readonly<Record<string, readonly [Operation, bigint]>> = {
  sum: [(a, b) => a + b, 0n],
  product: [(a, b) => a * b, 1n],
}

/** The built-ins that {@link computedByOpa} knows. */
export const COMPUTED = [...[BINARY, WHOLE, OF_MEMBERS].flatMap(Object.keys), 'abs', 'div']

/** What one of these built-ins is in OPA for integers; undefined if an operand is none. */
export function computedByOpa(name: string, args: readonly Value[]): Value | undefined {
  const members = OF_MEMBERS[name]
  const integers = (members === undefined ? args : membersOf(args[0])).map(integerOf)
  if (!integers.every((each) => each !== undefined)) return undefined
  const operands = integers.map(roundedByOpa)
  const [first] = operands
  if (first === undefined && members === undefined) return undefined
  const whole = WHOLE[name]
  if (whole !== undefined) return asValue(whole(first!))
  if (name === 'abs') return asValue(asWritten(abs(first!)))
  if (name === 'div') return quotientOf(first!, operands[1] ?? 0n)
  const [operation, start] = members ?? [BINARY[name], operands.shift()]
  if (operation === undefined || start === undefined) return undefined
  return asValue(
    asWritten(operands.reduce((sum, each) => roundedByOpa(operation(sum, each)), start)),
  )
}

/** Undefined for a fraction, which OPA has in other digits. */
function quotientOf(a: bigint, b: bigint): Value | undefined {
  if (b === 0n) return undefined
  if (a % b === 0n) return asValue(asWritten(roundedByOpa(a / b)))
  // In quarters; a last one says that there is more.
  const quarters = (4n * a) / b
  const more = a < 0n === b < 0n ? 1n : -1n
  const rounded = roundedByOpa(quarters % 2n === 0n ? quarters + more : quarters)
  return rounded % 4n === 0n ? asValue(asWritten(rounded / 4n)) : undefined
}

const asValue = (result: bigint): Value =>
  Number.isSafeInteger(Number(result)) ? Number(result) : result

function membersOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return []
  return isArray(value) ? value : isSet(value) ? value.values() : []
}

function integerOf(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

/** Half to even. */
export function roundedByOpa(value: bigint): bigint {
  const size = abs(value)
  const excess = size.toString(2).length - BITS
  if (excess <= 0) return value
  const unit = 1n << BigInt(excess)
  const [kept, rest] = [size / unit, size % unit]
  const isUp = rest * 2n > unit || (rest * 2n === unit && kept % 2n === 1n)
  const rounded = (isUp ? kept + 1n : kept) * unit
  return value < 0n ? -rounded : rounded
}

/**
 * The shortest decimal between the middles to the next numbers of as many bits, with zeros for the other digits. Below a
 * power of two the next number is nearer than `math/big` takes it to be.
 */
function asWritten(value: bigint): bigint {
  const size = abs(value)
  const excess = size.toString(2).length - BITS
  if (excess <= 0) return value
  const half = 1n << BigInt(excess - 1)
  // The middles themselves belong to the even number.
  const within = (size >> BigInt(excess)) % 2n === 0n ? half : half - 1n
  const length = size.toString().length
  for (let digits = 1; digits < length; digits++) {
    const unit = 10n ** BigInt(length - digits)
    const rest = size % unit
    const [isDown, isUp] = [rest <= within, unit - rest <= within]
    if (!isDown && !isUp) continue
    const isNearer = rest * 2n < unit
    const written = isDown && (isNearer || !isUp) ? size - rest : size - rest + unit
    return value < 0n ? -written : written
  }
  return value
}
