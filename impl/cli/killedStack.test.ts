import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { besideOf } from 'polgate-lib/files/generations.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Running, startProcess } from './testing/runProcess.ts'

let home: string
const started: Running[] = []
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-killed-'))
})
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  await rm(home, { recursive: true, force: true })
})

const words = ['--json', '--no-studio', '--port', '0', '--chain-port', '0', '--explorer-port', '0']

async function start(): Promise<{ running: Running; stack: StackDescription }> {
  const running = startProcess(['start', ...words, '--data-dir', 'data'], { cwd: home })
  started.push(running)
  const [line] = await once(createInterface({ input: running.child.stdout! }), 'line')
  return { running, stack: JSON.parse(line as string) as StackDescription }
}

async function newTask(stack: StackDescription, wei: number): Promise<string> {
  const { result } = await stackClient(stack).call('createTask', {
    policy_client: stack.clients['allow-list']!.policyClient,
    intent: plainIntent(stack, wei),
  })
  expect(result).toMatchObject({ status: 'success' })
  return result!.task_id!
}

/** The transaction with which the result of a task was posted, once the explorer has read it. */
async function posted({ explorerUrl, apiKeys }: StackDescription, id: string): Promise<unknown> {
  const response = await fetch(`${explorerUrl}/v1/task/${id}`, {
    headers: { 'x-api-key': apiKeys.read },
  })
  return ((await response.json()) as { responded_txn_hash?: unknown }).responded_txn_hash
}
const isPosted = (stack: StackDescription, id: string) =>
  expect.poll(() => posted(stack, id), { timeout: 30_000 }).toEqual(expect.any(String))

const blockOf = async ({ chain }: StackDescription) =>
  Number(await chainRpc(chain.rpcUrl, 'eth_blockNumber'))

it.skipIf(process.platform === 'win32')(
  'a killed stack whose chain lost blocks replaces them, and posts their results again',
  async () => {
    const first = await start()
    const file = join(home, 'data', 'chain.json')
    const early = join(home, 'early.json')
    await copyFile(file, early)
    const { kept } = JSON.parse(await readFile(early, 'utf8')) as { kept: { mark: string } }
    const begin = Number(kept.mark)
    await chainRpc(first.stack.chain.rpcUrl, 'anvil_mine', ['0x32'])
    const lost = await newTask(first.stack, 1)
    await isPosted(first.stack, lost)
    first.running.child.kill('SIGKILL')
    await first.running.ended
    // The chain is written once a second at most: a disk may have this state for that long, or longer.
    await copyFile(early, file)
    await rm(besideOf(file, 'previous'), { force: true })

    const second = await start()
    const next = await newTask(second.stack, 2)
    await isPosted(second.stack, next)
    await isPosted(second.stack, lost)
    const [, from, to] = /ended at block (\d+), .* refers to block (\d+)/.exec(
      second.running.told(),
    )!
    expect(Number(from)).toBe(begin)
    expect(Number(to)).toBeGreaterThan(begin + 50)
    expect(await blockOf(second.stack)).toBeGreaterThanOrEqual(Number(to))
    second.running.child.kill('SIGTERM')
    await second.running.ended

    // An orderly end loses nothing.
    const third = await start()
    expect(third.running.told()).toBe('')
    await isPosted(third.stack, lost)
  },
  600_000,
)
