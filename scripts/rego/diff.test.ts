import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** The command with peers that do not exist. */
const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/rego/diff.ts', ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      OPA: '/none/opa',
      REGORUS: '/none/regorus',
      REGORUS_BATCH: '/none/batch',
    },
  })

test('without peers it succeeds and says what it did not compare', () => {
  const { status, stdout } = run('--programs', '3', '--seed', '5', '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    seed: 5,
    programs: 3,
    peers: [],
    missing: [
      'opa 1.2: not found on the path (or set OPA to the command)',
      'regorus 0.9: not found on the path (or set REGORUS, or REGORUS_BATCH, to the command)',
    ],
    unlisted: [],
  })
})

test('invalid usage ends with 2 and the usage', () => {
  const { status, stderr } = run('--programs', 'many')
  expect(status).toBe(2)
  expect(stderr).toMatch(/--programs must be an integer from 1[\s\S]*usage: npm run diff:rego/)
})
