import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatShare } from './formatShare.ts'
import { numbersFrom } from './generate/choices.ts'
import { program } from './generate/program.ts'
import { findOpa } from './opa.ts'
import { policyFiles } from './policyFiles.ts'
import { scattered } from './scattered.ts'

const opa = findOpa()
const why = opa === undefined ? ' (skipped: no opa on the path, and OPA is not set)' : ''

test.skipIf(opa === undefined)(
  `this repository's policies are formatted as by opa fmt${why}`,
  () => {
    const texts = policyFiles().map((name) => ({ name, text: readFileSync(name, 'utf8') }))
    const { different, identical } = formatShare(opa as string, texts)
    expect(different).toEqual([])
    expect(identical).toBe(texts.length)
  },
)

test.skipIf(opa === undefined)(`so are nearly all generated modules${why}`, () => {
  const texts = Array.from({ length: 60 }, (_, i) => {
    const text = program(numbersFrom(i, 60), { pkg: 'a', wild: true })
    // Of equal members of a set, opa fmt keeps one.
    return { name: String(i), text: scattered(text, numbersFrom(i, 99), { comments: false }) }
  })
  const { compared, identical } = formatShare(opa as string, texts)
  expect(compared).toBeGreaterThan(50)
  expect(identical / compared).toBeGreaterThan(0.7)
})
