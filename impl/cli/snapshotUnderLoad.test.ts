import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProcess } from './testing/runProcess.ts'

let home: string
let stack: LocalStack | undefined
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-under-load-'))
})
afterAll(async () => {
  await stack?.close()
  await rm(home, { recursive: true, force: true })
})

async function createTask({ description }: LocalStack, value: number) {
  const { result } = await stackClient(description).call('createTask', {
    policy_client: description.clients['allow-list']!.policyClient,
    intent: plainIntent(description, value),
    timeout: 60,
  })
  return result
}

/** Whether a task has ended: its result is on the chain, or it came after its deadline. */
async function endOf(
  { description }: LocalStack,
  id: string,
): Promise<'posted' | 'failed' | undefined> {
  const { explorerUrl, apiKeys } = description
  const response = await fetch(`${explorerUrl}/v1/task/${id}`, {
    headers: { 'x-api-key': apiKeys.read },
  })
  const row = (await response.json()) as { responded_txn_hash?: unknown; error?: unknown }
  if (typeof row.responded_txn_hash === 'string') return 'posted'
  return typeof row.error === 'string' ? 'failed' : undefined
}

type SavedTask = {
  readonly id: string
  readonly status: string
  readonly block: number
  readonly posting: string | null
  readonly result: unknown
}

it('a snapshot that is saved while tasks run is one state of database, chain and contents', async () => {
  const first = await startLocalStack()
  stack = first
  let value = 0
  let ended = false
  const acknowledged = new Set<string>()
  const load = Array.from({ length: 4 }, async () => {
    while (!ended) {
      value += 1
      const result = await createTask(first, value)
      if (result?.status === 'success') acknowledged.add(result.task_id!)
    }
  })
  await expect.poll(() => acknowledged.size).toBeGreaterThan(4)
  const before: string[][] = []
  for (const name of ['one', 'two']) {
    before.push([...acknowledged])
    const { controlUrl } = first.description
    const saved = await runProcess(['snapshot', 'save', name, '--control', controlUrl], {
      cwd: home,
    })
    expect(saved).toMatchObject({ code: 0, stderr: '' })
    const more = acknowledged.size + 3
    await expect.poll(() => acknowledged.size).toBeGreaterThan(more)
  }
  ended = true
  await Promise.all(load)
  await first.close()
  stack = undefined

  for (const [at, name] of ['one', 'two'].entries()) {
    const dataDir = join(home, `data-${name}`)
    const contents = join(home, `contents-${name}`)
    const words = [name, '--data-dir', dataDir, '--content-dir', contents]
    expect(await runProcess(['snapshot', 'load', ...words], { cwd: home })).toMatchObject({ code: 0, stderr: '' }) // biome-ignore format: a line
    const store = await openStore({ dataDir: join(dataDir, 'store') })
    const tasks = await store.database.query<SavedTask>(
      'select id, status, reference_block as block, posting, result from tasks',
    )
    await store.close()
    const ids = tasks.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(before[at]!))
    for (const { status, result, posting } of tasks)
      if (status === 'success') expect([result, posting]).toEqual([expect.anything(), expect.any(String)]) // biome-ignore format: a line
    // Every content that a policy may name.
    const own = await createContentStore({ directory: contents }).list()
    expect(own.length).toBeGreaterThan(10)
    expect(await readdir(contentDirectory)).toEqual(expect.arrayContaining(await readdir(contents)))

    const warnings: string[] = []
    const loaded = await startLocalStack({ dataDir, warn: (line) => void warnings.push(line) })
    stack = loaded
    const head = Number(await chainRpc(loaded.chain.url, 'eth_blockNumber'))
    expect(Math.max(...tasks.map(({ block }) => block))).toBeLessThanOrEqual(head)
    // No block was missing. Those in progress go on, and every result gets to the chain once.
    expect(warnings).toEqual([])
    for (const { id, status } of tasks) {
      const ends = status === 'success' ? ['posted'] : ['posted', 'failed']
      await expect.poll(() => endOf(loaded, id), { timeout: 240_000 }).toBeOneOf(ends)
    }
    const next = await createTask(loaded, 1_000_000)
    expect(next?.status).toBe('success')
    await expect.poll(() => endOf(loaded, next!.task_id!), { timeout: 60_000 }).toBe('posted')
    await loaded.close()
    stack = undefined
  }
}, 900_000)
