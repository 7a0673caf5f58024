import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { OperatorReport } from 'polgate-protocol/control/operators.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalStack, startLocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-reverted-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const start = () =>
  startLocalStack({ dataDir: directory, threshold: 3, secondNetwork: true, timeTravel: true })

async function control<T>({ description }: LocalStack, path: string, body = {}): Promise<T> {
  const response = await fetch(`${description.controlUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as T
  expect([response.status, answer]).toEqual([200, answer])
  return answer
}

const read = async <T>({ description }: LocalStack, path: string): Promise<T> =>
  (await fetch(`${description.controlUrl}${path}`)).json() as Promise<T>

async function newTask({ description }: LocalStack, wei: number): Promise<string> {
  const { result } = await stackClient(description).call('createTask', {
    policy_client: description.clients['allow-list']!.policyClient,
    intent: plainIntent(description, wei),
  })
  expect(result).toMatchObject({ status: 'success' })
  return result!.task_id!
}

async function statusOf(
  { description }: LocalStack,
  taskId: string,
  network?: string,
): Promise<number> {
  const response = await fetch(`${description.explorerUrl}/v1/task/${taskId}`, {
    headers: {
      'x-api-key': description.apiKeys.read,
      ...(network === undefined ? {} : { [description.brand.networkHeader]: network }),
    },
  })
  await response.body?.cancel()
  return response.status
}

const privacyKey = async ({ description }: LocalStack) =>
  (await stackClient(description).call('getPrivacyPublicKey', {})).result!.public_key

it('a stack with threshold keys, a second network and a data directory is reverted, and restarts so', async () => {
  const first = await start()
  let kept: string
  let gone: string
  let key: string
  try {
    key = await privacyKey(first)
    kept = await newTask(first, 1)
    await expect.poll(() => statusOf(first, kept), { timeout: 20_000 }).toBe(200)
    const second = first.secondChain!.url
    const block = await chainRpc(second, 'eth_blockNumber')
    const { id } = await control<{ id: string }>(first, '/chain/snapshot')
    gone = await newTask(first, 2)
    await control(first, '/operators/3/fault', { kind: 'refuse' })
    expect((await read<OperatorReport[]>(first, '/operators'))[3]).toMatchObject({
      ...{ stake: '10', registered: true, fault: { kind: 'refuse' } },
      activity: { agreed: 2, missed: 0 },
    })
    expect(await read(first, '/chain/snapshots')).toEqual([
      { id, at: expect.any(Number), block: expect.any(Number) },
    ])
    await chainRpc(second, 'anvil_mine', ['0x5'])
    await control(first, '/chain/warp', { seconds: 3_600 })
    await expect.poll(() => statusOf(first, gone), { timeout: 20_000 }).toBe(200)
    await control(first, '/chain/revert', { id })
    expect((await read<OperatorReport[]>(first, '/operators'))[3]).toMatchObject({
      ...{ fault: { kind: 'none' }, activity: { agreed: 0, missed: 0 } },
    })
    expect(await read(first, '/chain/accounts')).toContainEqual({
      ...{ name: 'operator 3', role: 'operator', address: first.operators[3]!.address },
    })
    await expect.poll(() => statusOf(first, kept), { timeout: 20_000 }).toBe(200)
    expect(await statusOf(first, gone)).toBe(404)
    // Both chains are back, and the key of the operators is the same one.
    expect(await chainRpc(second, 'eth_blockNumber')).toBe(block)
    expect(await statusOf(first, kept, 'base-sepolia')).toBe(404)
    expect(await privacyKey(first)).toBe(key)
    const again = await newTask(first, 3)
    await expect.poll(() => statusOf(first, again), { timeout: 20_000 }).toBe(200)
  } finally {
    await first.close()
  }
  // What was written to the directory before the revert is not what the next process reads.
  const second = await start()
  try {
    await expect.poll(() => statusOf(second, kept), { timeout: 20_000 }).toBe(200)
    expect(await statusOf(second, gone)).toBe(404)
    expect(await privacyKey(second)).toBe(key)
    await newTask(second, 4)
  } finally {
    await second.close()
  }
}, 120_000)
