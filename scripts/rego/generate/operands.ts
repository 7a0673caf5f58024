import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { isClosure, walkTerm } from 'polgate-rego/compile/visit.ts'
import { parseTerm } from 'polgate-rego/syntax/parser.ts'
import type { Span } from 'polgate-rego/syntax/source.ts'
import { asCompared, callable, NETWORK } from './builtinCalls.ts'
import type { Choices } from './choices.ts'
import { POOLS } from './pools.ts'

/** Values of every type. Documents have no types that a compiler could refuse. */
export const VALUES = {
  nothing: null,
  yes: true,
  zero: 0,
  three: 3,
  negative: -2,
  half: 1.5,
  large: 9007199254740991,
  text: 'abc',
  empty: '',
  digits: '12',
  list: [1, 'a', null],
  none: [],
  texts: ['a', 'b'],
  numbers: [3, 1, 2],
  object: { a: 1, b: [2], c: null },
  blank: {},
  nested: [[1], { a: { b: 2 } }],
} as const

const OPERANDS = [
  ...Object.keys(VALUES).map((name) => `data.values.${name}`),
  '{x | some x in data.values.list}',
  '{x | some x in data.values.texts}',
]

/** A module with one call, one operand of which has any type, or any member or key. */
export function operandModule(choices: Choices, builtins: readonly Builtin[]): string {
  const { name, args } = choices.one(
    callable(builtins).filter((each) => each.args.length > 0 && !NETWORK.includes(each.name)),
  )
  const pools = POOLS.get(name) ?? []
  const position = choices.below(args.length)
  const operands = args.map((_, i) => {
    const pool = pools[i]
    if (pool === undefined) return choices.one(OPERANDS)
    const usual = choices.one(pool)
    if (i !== position) return usual
    const parts = partsOf(usual)
    if (parts.length === 0 || choices.rarely(2)) return choices.one(OPERANDS)
    const { start, end } = choices.one(parts)
    return usual.slice(0, start) + choices.one(OPERANDS) + usual.slice(end)
  })
  return `package gen.main\n\nr0 := ${asCompared(name, `${name}(${operands.join(', ')})`)}\n`
}

/** The places of the members and keys of a literal. */
function partsOf(text: string): readonly Span[] {
  const spans: Span[] = []
  const term = parseTerm(text)
  walkTerm(term, (part) => {
    if (part !== term) spans.push(part.span)
    return part.kind !== 'ref' && part.kind !== 'call' && !isClosure(part)
  })
  return spans
}
