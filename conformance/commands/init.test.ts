import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { startNullServer } from 'polgate-self-test/nullTargets.ts'
import { afterEach, expect, test } from 'vitest'
import { stackDescription } from '../targets/stackDescription.fixture.ts'
import { init } from './init.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

function folder() {
  const cwd = mkdtempSync(join(tmpdir(), 'svc-init-'))
  cleanup.defer(() => rmSync(cwd, { recursive: true, force: true }))
  const stream = { write: () => true }
  const signal = new AbortController().signal
  return { cwd, world: { stdout: stream, stderr: stream, env: {}, cwd, signal } }
}

test('init local describes the stack that runs here', async () => {
  const server = await startNullServer('constant-200')
  cleanup.defer(server.close)
  const { cwd, world } = folder()
  mkdirSync(join(cwd, '.svc'))
  const stack = { ...stackDescription, gatewayUrl: server.url }
  writeFileSync(join(cwd, '.svc/stack.json'), JSON.stringify(stack))
  expect(await init({ url: 'local' }, world)).toBe(0)
  const text = readFileSync(join(cwd, 'svc-target.yaml'), 'utf8')
  expect(text).toContain(`gatewayUrl: ${server.url}`)
  expect(text).toContain('# From the local stack that runs here.')
})

test('init local without a stack says how to start one', async () => {
  const { cwd, world } = folder()
  await expect(init({ url: 'local' }, world)).rejects.toMatchObject({
    message: 'no local stack runs in this folder or one above',
    hint: expect.stringContaining('polgate start'),
  })
  expect(existsSync(join(cwd, 'svc-target.yaml'))).toBe(false)
})
