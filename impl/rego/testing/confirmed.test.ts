import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerHere } from '../differences/answerHere.ts'
import type { Answer, Program } from '../differences/difference.ts'

/** A program, the answer that OPA 1.2 gave, and that of the profile `service`. */
type Confirmed = Program & { readonly opa: Answer; readonly service: Answer }

const confirmed = readFileSync(new URL('confirmed.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Confirmed)

test.each(['service', 'opa-1.2'] as const)('%s answers as recorded', (profile) => {
  const different = confirmed.flatMap(({ opa, service, ...program }) => {
    const wanted = profile === 'service' ? service : opa
    const found = answerHere(program, profile)
    return found === wanted ? [] : [{ ...program, wanted, found }]
  })
  expect(different).toEqual([])
})
