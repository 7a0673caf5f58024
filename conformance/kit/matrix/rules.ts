import type { Kind } from './kind.ts'
import type { Parameter } from './parameters.ts'

/** One way in which a value is malformed. */
export type Rule = {
  /** `leading-zero`; unique together with the kind. */
  readonly name: string
  /** In words, after "with": `a leading zero`. */
  readonly fault: string
  /** The malformed value; undefined removes the parameter. */
  readonly value: unknown
  /** The clause of section 2.1 that it breaks, besides that of the parameter. */
  readonly clause?: string
}

const number: Rule = { name: 'number', fault: 'a number', value: 7 }
const boolean: Rule = { name: 'boolean', fault: 'a boolean', value: true }
const array: Rule = { name: 'array', fault: 'an array', value: ['0x'] }
const object: Rule = { name: 'object', fault: 'an object', value: {} }
const string: Rule = { name: 'string', fault: 'a string', value: '7' }

const absence: readonly Rule[] = [
  { name: 'missing', fault: 'no value', value: undefined },
  { name: 'null', fault: 'null', value: null },
]

const notText = [number, boolean, array, object]
const notNumber = [string, boolean, array, object]

const evenDigits: readonly Rule[] = [
  ...notText,
  { name: 'odd', fault: 'an odd digit count', value: '0xabc', clause: '2.1-05' },
  { name: 'bad-digit', fault: 'digits that are not hex', value: '0xzz', clause: '2.1-17' },
]

const compactHex: readonly Rule[] = [
  { ...number, clause: '2.1-16' },
  boolean,
  array,
  object,
  { name: 'leading-zero', fault: 'a leading zero', value: '0x01', clause: '2.1-02' },
  { name: 'two-zeros', fault: '0x00 for zero', value: '0x00', clause: '2.1-02' },
  { name: 'empty', fault: 'no digits', value: '0x', clause: '2.1-03' },
  { name: 'bad-digit', fault: 'digits that are not hex', value: '0x1g', clause: '2.1-17' },
  { name: 'negative', fault: 'a sign', value: '-0x1', clause: '2.1-01' },
]

const length = (bytes: number, clause: object): readonly Rule[] => [
  ...notText,
  { name: 'short', fault: 'a byte too few', value: `0x${'11'.repeat(bytes - 1)}`, ...clause },
  { name: 'long', fault: 'a byte too many', value: `0x${'11'.repeat(bytes + 1)}`, ...clause },
  {
    name: 'bad-digit',
    fault: 'a digit that is not hex',
    value: `0x${'1g'.repeat(bytes)}`,
    clause: '2.1-17',
  },
]

const integer: readonly Rule[] = [
  ...notNumber,
  { name: 'negative', fault: 'a negative number', value: -1 },
  { name: 'fraction', fault: 'a fraction', value: 1.5 },
]

/** What makes a value of a kind malformed. */
export const rules: Readonly<Record<Kind, readonly Rule[]>> = {
  address: [
    ...length(20, { clause: '2.1-07' }),
    { name: 'no-prefix', fault: 'no 0x prefix', value: '11'.repeat(20), clause: '2.1-07' },
    { name: 'blank', fault: 'an empty string', value: '', clause: '2.1-07' },
  ],
  quantity: [
    ...compactHex,
    { name: 'no-prefix', fault: 'no 0x prefix', value: '10', clause: '2.1-01' },
  ],
  'chain id': compactHex,
  data: [
    ...evenDigits,
    { name: 'no-prefix', fault: 'no 0x prefix', value: 'abcd', clause: '2.1-04' },
    { name: 'blank', fault: 'an empty string', value: '', clause: '2.1-06' },
  ],
  bytes: evenDigits,
  '32 bytes': length(32, {}),
  text: notText,
  number: notNumber,
  'chain number': integer,
  uint32: [...integer, { name: 'too-large', fault: '2 to the power of 32', value: 2 ** 32 }],
  boolean: [{ ...string, value: 'true' }, { ...number, value: 1 }, array, object],
  object: [string, number, boolean, array],
  array: [string, number, boolean, object],
}

/** The rules that a parameter can break. */
export const rulesOf = ({ kind, required }: Parameter): readonly Rule[] => [
  ...(required ? absence : []),
  ...rules[kind],
]
