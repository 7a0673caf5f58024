import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Difference, differences } from './compare.ts'
import { numbersFrom } from './generate/choices.ts'
import { program } from './generate/program.ts'
import { findOpa } from './opa.ts'

const opa = findOpa()
const why = opa === undefined ? ' (skipped: no opa on the path, and OPA is not set)' : ''

/** Programs per OPA process. */
const BATCH = 150

const shown = (found: readonly Difference[]): string =>
  found.map(({ source, ours, opa }) => `${source}\n# here: ${ours}\n# opa:  ${opa}`).join('\n')

test.skipIf(opa === undefined)(
  `generated policies have the same result here and in OPA${why}`,
  () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sources = Array.from({ length: BATCH }, (_, i) =>
          program(numbersFrom(seed + i, 60), { pkg: `gen.p${i}`, wild: false }),
        )
        expect(shown(differences(opa as string, sources))).toBe('')
      }),
      { numRuns: 2, endOnFailure: true },
    )
  },
  120_000,
)

test('the generator gives the same policy for the same numbers', () => {
  const make = () => program(numbersFrom(7, 60), { pkg: 'gen.p0', wild: true })
  expect(make()).toBe(make())
  expect(make()).not.toBe(program(numbersFrom(8, 60), { pkg: 'gen.p0', wild: true }))
})
