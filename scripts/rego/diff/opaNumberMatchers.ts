import type { Value } from 'polgate-rego/values/value.ts'
import { sameButDigits } from './alike.ts'
import { shown } from './answers.ts'
import { isBig, made, opa, partsOf } from './callMatchers.ts'
import { textOf } from './callsOf.ts'
import type { Matcher } from './matcher.ts'
import { COMPUTED, computedByOpa } from './opaIntegers.ts'
import { sameNumbers } from './sameNumbers.ts'

const isFraction = (value: Value | undefined): boolean =>
  typeof value === 'number' && !Number.isInteger(value)

const ARITHMETIC = ['plus', 'minus', 'mul', 'div', 'sum', 'product', 'abs', 'rem']

/** Fractions in the digits that a decimal computation has. */
const inDecimal = (value: Value): Value =>
  isFraction(value) ? Number((value as number).toPrecision(15)) : value

/** What operators are for 64-bit floats. */
const OF_FRACTIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
}

/** The operators of built-ins that combine all members. */
const OF_MEMBERS: Readonly<Record<string, string>> = { sum: 'plus', product: 'mul' }

/** Whether a result is that of floats; the quotient of integers beyond them may be the next one, which is nearer. */
function isNearest(name: string, args: readonly Value[], result: number): boolean {
  const ofFloats = OF_FRACTIONS[name]!(Number(args[0]), Number(args[1]))
  if (name !== 'div' || !args.some((each) => typeof each === 'bigint')) return result === ofFloats
  return Math.abs(result - ofFloats) <= 2 * Number.EPSILON * Math.abs(ofFloats)
}

/** What these built-ins are for integers of any size. */
const OF_INTEGERS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  rem: (a, b) => a % b,
  'bits.and': (a, b) => a & b,
  'bits.or': (a, b) => a | b,
  'bits.xor': (a, b) => a ^ b,
  'bits.lsh': (a, b) => a << b,
  'bits.rsh': (a, b) => a >> b,
  'bits.negate': (a) => ~a,
}

function isRight(name: string, args: readonly Value[], result: Value | undefined): boolean {
  const [a, b = 0n] = args.map((each) => BigInt(each as number | bigint))
  return String(result) === String(OF_INTEGERS[name]!(a!, b as bigint))
}

/** Entries about numbers in OPA. */
export const OPA_NUMBER_MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'ranges-beyond-64-bits': {
    made: made(['numbers.range', 'numbers.range_step'], ([from, to]) => [from, to].some(isBig)),
    exact: true,
  },
  'integers-of-any-size': [
    {
      peer: 'opa',
      cause: (evidence) =>
        evidence.isSameWith(COMPUTED, (own, args, name) => computedByOpa(name, args) ?? own),
      exact: true,
    },
    {
      peer: 'opa',
      made: made(
        ['format_int'],
        ([integer, base], result) =>
          typeof integer === 'bigint' &&
          // Only of a base that there is.
          result !== undefined &&
          result === integer.toString(Number(base)),
      ),
      exact: true,
    },
    opa(['numbers.range', 'numbers.range_step'], (args) => args.some(isBig)),
  ],
  'remainders-of-large-integers': {
    peer: 'opa',
    made: ({ name, args, result }) =>
      name in OF_INTEGERS &&
      args.some(isBig) &&
      args.every((each) => typeof each === 'bigint' || Number.isInteger(each)) &&
      result !== undefined &&
      isRight(name, args, result),
    exact: true,
  },
  'division-in-64-bit-floats': [
    {
      peer: 'opa',
      alike: sameButDigits,
      made: ({ name, args, result }) =>
        name in OF_FRACTIONS &&
        typeof result === 'number' &&
        [result, ...args].some(isFraction) &&
        isNearest(name, args, result),
      exact: true,
    },
    { peer: 'opa', alike: sameButDigits, calls: ['div'] },
    // A fraction so large that OPA's further digits make it an integer.
    {
      peer: 'opa',
      made: made(
        ['plus', 'minus', 'mul', 'div'],
        (args, result) => args.some(isFraction) && isBig(result),
      ),
      ours: /must be integer number but got floating-point number/,
    },
  ],
  'fractions-in-other-digits': [
    { peer: 'opa', source: /\.\d/, alike: sameButDigits },
    // Beside a large integer: OPA's further digits show that it is none.
    {
      peer: 'opa',
      made: ({ name, args, result }) => {
        const operator = OF_FRACTIONS[OF_MEMBERS[name] ?? name]
        const operands = name in OF_MEMBERS ? args.flatMap(partsOf) : args
        return (
          operator !== undefined &&
          operands.some(isFraction) &&
          operands.some((each) => Math.abs(Number(each)) >= 2 ** 53) &&
          Number(result) === operands.map(Number).reduce(operator)
        )
      },
      exact: true,
    },
    // Where digits are counted or compared.
    {
      peer: 'opa',
      source: /\.\d/,
      made: made(ARITHMETIC, (_, result) => isFraction(result)),
      cause: (evidence) => evidence.isSameWith(ARITHMETIC, inDecimal),
      exact: true,
    },
  ],
  'numbers-are-normalised': [
    { peer: 'opa', source: /\de\d|-0|\d\.\d*0\b/, alike: sameNumbers, exact: true },
    {
      peer: 'regorus',
      source: /\d{16}|\de\d|-0|\d\.\d*0\b/,
      calls: ['json.marshal', 'json.marshal_with_options', 'yaml.marshal', 'sprintf', 'format_int'],
      alike: sameNumbers,
      exact: true,
    },
    // Texts of numbers within other texts.
    {
      peer: 'opa',
      calls: ['json.marshal', 'json.marshal_with_options', 'yaml.marshal', 'sprintf'],
      cause: (evidence) => evidence.isSameAsWritten(),
      exact: true,
    },
  ],
  'numbers-that-are-not-json': {
    peer: 'opa',
    theirs: /^internal_error: json: invalid number literal/,
    cause: ({ found }) => {
      const literal = /invalid number literal "([^"]*)"/.exec(shown(found.theirs))?.[1] ?? ''
      const number = Number(literal.replaceAll('_', ''))
      return Number.isFinite(number) && shown(found.ours).includes(textOf(number))
    },
    exact: true,
  },
}
