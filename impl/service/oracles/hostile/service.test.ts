import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

/** A hostile oracle fails its own task, with its own message, and no other task. */

// The test is about which tasks fail, not about speed on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let stack: LocalStack
beforeAll(async () => {
  stack = await startTestStack({
    config: (config) => ({
      ...config,
      // Each operator computes for as long; endless-loop.test.ts has the default. A first run of an oracle in
      // JavaScript takes up to a second of a processor that others use as well.
      oracles: { ...config.oracles, limits: { wallClockMs: 4_000 } },
      // Operators that are slow on a busy machine still count.
      operatorGraceMs: 60_000,
    }),
  })
})
afterAll(() => stack.close())

let value = 70_000
function createTask(fixture: string, wasmArgs?: string) {
  const { description } = stack
  value += 1
  return stackClient(description).call('createTask', {
    policy_client: description.clients[fixture]?.policyClient,
    intent: plainIntent(description, value),
    ...(wasmArgs !== undefined && { wasm_args: wasmArgs }),
    timeout: 120,
  })
}

test('tasks of hostile oracles fail while others succeed', async () => {
  const eth = encodeWasmArgs({ symbol: 'ETH' }, {})
  const [looping, trapping, ...neighbours] = await Promise.all([
    createTask('looping-oracle'),
    createTask('trapping-oracle'),
    createTask('priced-transfer', eth),
    createTask('allow-list'),
    createTask('priced-transfer', eth),
  ])
  const outcomes = neighbours.map(({ result }) => result?.error ?? result?.status)
  expect(outcomes).toEqual(['success', 'success', 'success'])
  for (const [{ result }, text] of [
    [looping, 'WASM execution failed: the run took longer than 4 s'],
    [trapping, 'WASM execution failed: trap: unreachable'],
  ] as const) {
    expect(result?.status).toBe('failed')
    const messages = result?.operator_errors?.map(({ message }) => message) ?? []
    expect(messages.length).toBeGreaterThan(0)
    expect(new Set(messages)).toEqual(new Set([text]))
    expect(result?.operator_errors?.map(({ error_code }) => error_code)).not.toContain(undefined)
  }
  // Later tasks still succeed.
  expect((await createTask('priced-transfer', eth)).result?.status).toBe('success')
})
