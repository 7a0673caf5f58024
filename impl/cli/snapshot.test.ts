import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { writeStackFile } from 'polgate-local/stackFile.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { TaskDetail } from 'polgate-protocol/explorer.ts'
import { allRows } from 'polgate-service/snapshot/filledStore.fixture.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Saves a running stack, and continues it in another directory. */

const cli = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
let home: string
let stack: LocalStack
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-backup-'))
  stack = await startLocalStack()
})
afterAll(async () => {
  await stack?.close()
  await rm(home, { recursive: true, force: true })
})

type Ending = { readonly code: number; readonly stdout: string; readonly stderr: string }
const svc = (...args: string[]): Promise<Ending> => svcWith({}, ...args)
const svcWith = (variables: Record<string, string>, ...args: string[]): Promise<Ending> =>
  new Promise((resolve) => {
    const { SVC_DATABASE_URL: _, DATABASE_URL: __, ...others } = process.env
    const env = { ...others, ...variables }
    execFile(process.execPath, [cli, ...args], { cwd: home, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

async function create(value: number) {
  const { description } = stack
  const policy_client = description.clients['allow-list']!.policyClient
  const intent = plainIntent(description, value)
  const answer = await stackClient(description).call('createTask', { policy_client, intent })
  return answer.result!
}
async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(stack.chain.url, { method: 'POST', headers, body })
  return ((await response.json()) as { result?: unknown }).result
}
async function explorerRow(id: string | undefined): Promise<TaskDetail | undefined> {
  const { explorerUrl, apiKeys } = stack.description
  const headers = { 'x-api-key': apiKeys.read, 'x-protocol-network': 'testnet' }
  const response = await fetch(`${explorerUrl}/v1/task/${id}`, { headers })
  return response.ok ? ((await response.json()) as TaskDetail) : undefined
}
/** History of the chain: logs, receipts, and a balance that has changed since. */
async function past(block: number) {
  const at = `0x${block.toString(16)}`
  const address = stack.description.chain.taskManager
  const logs = (await rpc('eth_getLogs', { address, fromBlock: '0x0', toBlock: at })) as {
    readonly transactionHash: string
  }[]
  const gateway = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
  return {
    logs,
    receipt: await rpc('eth_getTransactionReceipt', logs.at(-1)?.transactionHash),
    balance: await rpc('eth_getBalance', gateway, `0x${(block - 1).toString(16)}`),
    hash: ((await rpc('eth_getBlockByNumber', at, false)) as { hash: string }).hash,
  }
}

describe('polgate snapshot', () => {
  it('saves and restores a running stack: tasks, keys, webhooks, explorer, chain', async () => {
    const { key, record } = await stack.service.store.apiKeys.create({
      name: 'kept',
      permissions: ['rpc'],
    })
    await stack.service.store.webhooks.put({
      apiKeyId: record.id,
      url: 'https://example.com/hook',
      sealedSecret: new Uint8Array([1, 2, 3]),
      timeoutSeconds: 10,
      maxRetries: 3,
      failureTypes: null,
    })
    const task = await create(1)
    expect(task.status).toBe('success')
    await expect
      .poll(async () => (await explorerRow(task.task_id))?.responded_txn_hash, { timeout: 60_000 })
      .toEqual(expect.any(String))
    const row = await explorerRow(task.task_id)
    const block = Number(await rpc('eth_blockNumber'))
    const before = await past(block)
    expect(before.logs.length).toBeGreaterThan(1)

    const { controlUrl } = stack.description
    const status = await svc('db', 'status', '--control', controlUrl, '--json')
    expect(JSON.parse(status.stdout)).toMatchObject({ engine: 'embedded', unfinishedTasks: 0 })
    const saved = await svc('snapshot', 'save', 'one.snapshot', '--control', controlUrl, '--json')
    expect(saved).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(saved.stdout)).toMatchObject({ manifest: { chain: { block } } })
    expect((await stat(join(home, 'one.snapshot'))).mode & 0o777).toBe(0o600)
    // Mining resumes after the save.
    expect((await create(2)).status).toBe('success')
    await expect.poll(async () => Number(await rpc('eth_blockNumber'))).toBeGreaterThan(block)
    await stack.close()

    const loaded = await svc('snapshot', 'load', 'one.snapshot', '--data-dir', 'data')
    expect(loaded).toMatchObject({ code: 0, stderr: '' })
    expect(loaded.stdout).toContain('polgate start --data-dir data')
    const again = await svc('snapshot', 'load', 'one.snapshot', '--data-dir', 'data')
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already has data') })

    stack = await startLocalStack({ dataDir: join(home, 'data') })
    expect(await past(block)).toEqual(before)
    const { store } = stack.service
    expect(await store.apiKeys.lookup(key)).toMatchObject({ id: record.id })
    expect((await store.webhooks.get(record.id))?.sealedSecret).toEqual(new Uint8Array([1, 2, 3]))
    expect(await explorerRow(task.task_id)).toEqual(row)
    const rows = await allRows(store.database)
    expect(rows.tasks).toHaveLength(1)
    // The nonce continues: the restored store has the first task.
    const next = await create(1)
    expect(next).toMatchObject({ status: 'success', task: { nonce: 1 } })
    await expect
      .poll(async () => (await explorerRow(next.task_id))?.responded_txn_hash, { timeout: 60_000 })
      .toEqual(expect.any(String))
  }, 300_000)

  it('reports errors', async () => {
    const of = async (...args: string[]) => {
      const { code, stderr } = await svc(...args)
      return `${code} ${stderr}`
    }
    expect(await of('snapshot', 'save', 'two.snapshot')).toMatch(/^2 error: Nothing to save/)
    const nowhere = ['--database-url', 'postgres://svc:a-password@127.0.0.1:1/none']
    const unreachable = await of('snapshot', 'load', 'one.snapshot', ...nowhere, '--without-chain', '--without-content') // biome-ignore format: a line
    expect(unreachable).toMatch(
      /^2 error: The PostgreSQL database 127.0.0.1:1\/none cannot be reached/,
    )
    expect(unreachable).not.toContain('a-password')
    // DATABASE_URL takes precedence over a stack running in this directory, as in other commands.
    await writeStackFile(stack.description, join(home, '.svc/stack.json'))
    const DATABASE_URL = 'postgres://svc:a-password@127.0.0.1:1/none'
    const refused = await svcWith({ DATABASE_URL }, 'snapshot', 'save', 'two.snapshot', '--without-content') // biome-ignore format: a line
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('127.0.0.1:1/none') })
    await rm(join(home, '.svc'), { recursive: true })
    expect(await of('snapshot', 'show', '--check', cli)).toMatch(/^2 error: .*is not a snapshot/)
    expect((await readdir(home)).sort()).toEqual(['data', 'one.snapshot'])
  })
})
