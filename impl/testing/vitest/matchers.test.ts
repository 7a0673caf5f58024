import { expect } from 'vitest'
import { assertAllowed, assertDeniedFor, assertSpent } from '../index.ts'
import { test } from './index.ts'

const failureOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'no failure',
    (error: Error) => error.message.replaceAll(/0x[0-9a-f]{64}/g, '0x(id)'),
  )

const tooMuch = 11n * 10n ** 18n
const allowed = { success: true, result: { allow: true, reason: '' }, error: null }
const denied = { success: true, result: { allow: false, reason: 'a; b' }, error: null }

test('decisions of tasks', async ({ stack, client }) => {
  const policy_client = stack.clients.cap!.policyClient
  const yes = await client.createTask({ policy_client, intent: stack.intent({ value: 1n }) })
  await expect(yes).toBeAllowed()
  await expect(yes).not.toBeSpent()
  await expect(yes).not.toBeDeniedFor(/./)
  expect(await failureOf(expect(yes).not.toBeAllowed())).toMatch(
    /^expected the task not to be allowed\n/,
  )

  const no = await client.createTask({ policy_client, intent: stack.intent({ value: tooMuch }) })
  await expect(no).not.toBeAllowed()
  await expect(no).toBeDeniedFor('value exceeds the maximum')
  await expect(no).toBeDeniedFor(/exceeds/)
  await assertDeniedFor(no, /exceeds/)
  // The whole text, not a part of it.
  expect(await failureOf(expect(no).toBeDeniedFor('exceeds'))).toBe(
    await failureOf(assertDeniedFor(no, 'exceeds')),
  )
  expect(
    await failureOf(expect(no).toBeDeniedFor('exceeds')),
  ).toBe(`expected the task to be denied for "exceeds"

task:            0x(id)
decision:        denied
policy's value:  false
deny reasons:    value exceeds the maximum
entrypoint:      cap.decision
params:          { "threshold": 1000000000000000000, "max_value": 10000000000000000000 }
spent:           no`)
  expect(await failureOf(expect(yes).toBeSpent())).toMatch(
    /^expected the task to be spent\n[\s\S]*spent: +no$/,
  )
})

test('tasks that failed are neither allowed nor denied, and say why', async ({ stack, client }) => {
  const { policyClient: policy_client } = await stack.deployPolicy({
    rego: 'package broken\nallow if 1 ==',
  })
  const failing = () => client.createTask({ policy_client, intent: stack.intent() })
  const why = await failureOf(expect(failing()).toBeAllowed())
  expect(why).toMatch(
    /^expected the task to be allowed\n\ntask: +0x\(id\)\ndecision: +undecided\nerror: /,
  )
  expect(why).toMatch(/operator errors: 0x\w{40}: Rego evaluation failed: .+\n {17}0x\w{40}: /)
  expect(await failureOf(expect(failing()).not.toBeAllowed())).toMatch(/^expected the task not to/)
  await expect(failing()).not.toBeSpent()
  expect(await failureOf(expect(failing()).not.toBeDeniedFor(/./))).toMatch(
    /^expected the task not/,
  )
})

test('data of oracles is part of a failure', async ({ stack, client }) => {
  await stack.oracles.mock('api.example.com', { '*': 'x' })
  const { policyClient: policy_client } = stack.clients.probed!
  const task = await client.createTask({ policy_client, intent: stack.intent() })
  expect(await failureOf(expect(task).toBeSpent())).toMatch(/oracle outputs: +\{"probe":/)
})

test('simulations', async ({ stack, client }) => {
  const policy_client = stack.clients.cap!.policyClient
  const simulated = await client.simulateTask({
    policy_client,
    intent: stack.intent({ value: tooMuch }),
  })
  await expect(simulated).toBeDeniedFor('value exceeds the maximum')
  const evaluated = await client.simulatePolicy({
    ...{ policy_client, intent: stack.intent(), policy_data: [] },
    policy: 'package policy\nallow := true',
  })
  await expect(evaluated).toBeAllowed()
  const refused = await client.simulatePolicy({
    ...{ policy_client, intent: stack.intent(), policy_data: [] },
    policy: 'package policy\nallow := false\ndeny contains "never"',
  })
  await expect(refused).not.toBeAllowed()
  for (const check of [expect(refused), expect(refused).not])
    expect(await failureOf(check.toBeDeniedFor('never'))).toMatch(
      /deny reasons: +unknown: simulatePolicy does not return them/,
    )
  await expect(allowed).toBeAllowed()
  await expect(denied).toBeDeniedFor('b')
  await expect(denied).toBeDeniedFor('a; b')
  await expect(denied).not.toBeDeniedFor('c')
  await assertAllowed(allowed)
})

test.for([undefined, 'text', {}, [], new Error('no network'), 'rejected'])(
  '%s is neither allowed nor denied',
  async (given) => {
    const received = given === 'rejected' ? Promise.reject(new Error('no network')) : given
    for (const check of [expect(received), expect(received).not]) {
      expect(await failureOf(check.toBeAllowed())).toMatch(
        /decision: +undecided\nerror: +(this is no task|no network)/,
      )
      expect(await failureOf(check.toBeDeniedFor(/./))).toMatch(/undecided/)
      expect(await failureOf(check.toBeSpent())).toMatch(/undecided/)
    }
    await expect(assertSpent(received)).rejects.toThrow(/undecided/)
  },
)

test('a task of before a restart has lost its reasons, and says so', async ({ stack, client }) => {
  const snapshot = await stack.snapshot()
  const policy_client = stack.clients.cap!.policyClient
  const task = await client.createTask({ policy_client, intent: stack.intent({ value: tooMuch }) })
  await snapshot.restore()
  await expect(task).not.toBeAllowed()
  for (const check of [expect(task), expect(task).not])
    expect(await failureOf(check.toBeDeniedFor('value exceeds the maximum'))).toMatch(
      /deny reasons: +unknown: no stack of this process has run the task/,
    )
})
