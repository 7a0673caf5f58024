import { expect, test } from 'vitest'
import { peerOfPage, unnoticed } from './mutants.fixture.ts'

test('a wrong answer here to a program of the page is an unlisted difference', async () => {
  expect(await unnoticed([peerOfPage('opa'), peerOfPage('regorus')])).toEqual([])
})
