import { expect, it } from 'vitest'
import { committedArtifacts, digestFile, digestsOf } from './contractArtifacts.ts'

/**
 * Otherwise a change in Solidity would pass all tests until the contracts are compiled. That the
 * artifacts are also what the compiler makes of these sources is verified by `npm run chain:check`.
 */
it('the committed artifacts are those of the contracts', () => {
  const artifacts = committedArtifacts()
  expect(digestsOf(artifacts)).toBe(artifacts.get(digestFile))
})

it('a changed artifact has other digests', () => {
  const artifacts = committedArtifacts()
  artifacts.set('abis.ts', `${artifacts.get('abis.ts')} `)
  expect(digestsOf(artifacts)).not.toBe(artifacts.get(digestFile))
})
