import type { Difference } from './difference.ts'

export const opaFaults: readonly Difference[] = [
  {
    id: 'types-beside-with',
    area: 'types',
    title: 'Types of an expression with `with`',
    why: 'OPA checks types as if nothing were replaced. A replaced document or function may have any type.',
    program: { modules: ['package test\n\nq := 0\n\np if q == "a" with data.test.q as input.x'] },
    here: { service: 'undefined', 'opa-1.2': 'undefined' },
    opa: 'rego_type_error',
    regorus: 'undefined',
  },
  {
    id: 'empty-object-beside-a-dynamic-key',
    area: 'documents',
    title: 'The document of a reference head without a value, beside another with a dynamic key',
    why: 'OPA keeps the empty object of a constant key only where no other rule below the same name has a variable key.',
    program: {
      modules: ['package test\n\np.a[x].c := 0 if some x in []\n\np.a[0].c := 0 if false'],
    },
    here: { service: '{"a":{"0":{}}}', 'opa-1.2': '{"a":{"0":{}}}' },
    opa: '{"a":{}}',
    regorus: '{}',
  },
  {
    id: 'types-within-every',
    area: 'types',
    title: 'Types within `every`',
    why: 'OPA does not check the body of an `every` in a comprehension. A comparison that can never hold is a mistake.',
    program: {
      modules: ['package test\n\np contains 0 if {\n\t{0 | every x in [0] { "a" == x }}\n}'],
    },
    here: { service: 'rego_type_error', 'opa-1.2': 'rego_type_error' },
    opa: '[0]',
    regorus: '[0]',
  },
  {
    id: 'numbers-that-are-not-json',
    area: 'built-ins',
    title: '`to_number` of numbers with a leading zero or a final point',
    why: 'OPA returns a number that it cannot write as JSON, so its answer is an internal error.',
    program: { modules: ['package test\n\np := to_number("01")'] },
    here: { service: '1', 'opa-1.2': '1' },
    opa: 'internal_error',
    regorus: 'undefined',
  },
  {
    id: 'rounding-near-zero',
    area: 'built-ins',
    title: '`floor` and `ceil` between -1 and 0',
    why: 'OPA rounds -0.5 to 0 and up to 1, which is a fault.',
    program: { modules: ['package test\n\np := floor(-0.5)'] },
    here: { service: '-1', 'opa-1.2': '-1' },
    opa: '0',
    regorus: '-1',
  },
]
