import { BuiltinError } from '../errors.ts'
import { isArray, isNumber, isObject, isSet, typeName, type Value } from '../values/value.ts'
import { parseWritten, WrittenNumber } from '../values/writtenNumber.ts'
import type { Builtin } from './builtin.ts'
import { wrongType } from './operands.ts'
import { ANY, BOOLEAN, NULL, NUMBER, STRING, union } from './types.ts'

const is = (name: string, test: (value: Value) => boolean): Builtin => ({
  name,
  args: [ANY],
  result: BOOLEAN,
  call: (_, a: Value) => test(a),
})

/** The syntax of Go's ParseFloat, without hexadecimal numbers. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/

function toNumber(a: Value): Value {
  if (a === null || a === false) return 0
  if (a === true) return 1
  if (isNumber(a) || a instanceof WrittenNumber) return a
  if (typeof a !== 'string') throw wrongType(1, a, 'null', 'boolean', 'number', 'string')
  if (/^[+-]*(?:inf|infinity|nan)$/i.test(a)) throw wrongType(1, a, 'valid number string')
  // Between digits only; the rest fails as in Go.
  const digits = a.replace(/(?<=\d)_(?=\d)/g, '')
  const [, sign = '', whole = '', fraction = '', exponent = ''] = DECIMAL.exec(digits) ?? []
  const problem = (what: string): BuiltinError =>
    new BuiltinError(`strconv.ParseFloat: parsing ${JSON.stringify(a)}: ${what}`)
  if (whole === '' && fraction === '') throw problem('invalid syntax')
  if (!Number.isFinite(Number(digits))) throw problem('value out of range')
  // `1.` is a number with a fraction, although none that JSON has.
  const point = digits.includes('.') ? `.${fraction || '0'}` : ''
  return parseWritten(`${sign === '-' ? '-' : ''}${whole || '0'}${point}${exponent}`) ?? 0
}

export const typeBuiltins: readonly Builtin[] = [
  is('is_array', isArray),
  is('is_boolean', (a) => typeof a === 'boolean'),
  is('is_null', (a) => a === null),
  is('is_number', isNumber),
  is('is_object', isObject),
  is('is_set', isSet),
  is('is_string', (a) => typeof a === 'string'),
  { name: 'type_name', args: [ANY], result: STRING, call: (_, a: Value) => typeName(a) },
  {
    name: 'to_number',
    args: [union(NULL, BOOLEAN, NUMBER, STRING)],
    result: NUMBER,
    keepsWritten: [0],
    call: (_, a: Value) => toNumber(a),
  },
]
