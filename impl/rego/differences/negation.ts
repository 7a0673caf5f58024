import type { Difference } from './difference.ts'

const HOISTED =
  'OPA evaluates the operands of a negated call before the negation, so an undefined operand makes the body undefined. The profile `service` keeps the answer of the engine at 0.9: an expression that is undefined does not hold (decision R14).'

export const negation: readonly Difference[] = [
  {
    id: 'not-of-undefined-operand',
    area: 'negation',
    title: '`not` of a built-in with an undefined argument',
    why: HOISTED,
    program: { modules: ['package test\n\np if not startswith(input.image, "x")'], input: {} },
    here: { service: 'true', 'opa-1.2': 'undefined' },
    opa: 'undefined',
    regorus: 'true',
  },
  {
    id: 'not-of-undefined-comparison',
    area: 'negation',
    title: '`not` of a comparison other than `==` with an undefined operand',
    why: HOISTED,
    program: { modules: ['package test\n\np if not input.level > 3'], input: {} },
    here: { service: 'true', 'opa-1.2': 'undefined' },
    opa: 'undefined',
    regorus: 'true',
  },
]
