import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checksByFile } from './catalogue.ts'

test.each(checksByFile)('%s has the id of each of its checks as a literal', (file, checks) => {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  const composed = checks.map(({ id }) => id).filter((id) => !source.includes(`'${id}'`))
  expect(composed).toEqual([])
})
