import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** Otherwise a change in Solidity would pass all tests until the contracts are compiled. */
it('the committed artifacts are those of the contracts', { timeout: 120_000 }, () => {
  const args = ['--import', 'tsx', 'scripts/build/contracts.ts', '--check']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
