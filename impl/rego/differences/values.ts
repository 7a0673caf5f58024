import type { Difference } from './difference.ts'

export const values: readonly Difference[] = [
  {
    id: 'division-in-64-bit-floats',
    area: 'values',
    title: 'Fractions have the precision of 64-bit floats',
    why: 'OPA computes with more digits. Fractions follow the engine at 0.9 and any JSON parser; integers are exact at any size.',
    program: { modules: ['package test\n\np := 1 / 3'] },
    here: { service: '0.3333333333333333', 'opa-1.2': '0.3333333333333333' },
    opa: '0.33333333333333333334',
    regorus: '0.3333333333333333',
  },
]
