import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { type RunningAnvil, startAnvil } from 'polgate-chain/anvil.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import { areResponded } from 'polgate-chain/reads.ts'
import { freePort } from 'polgate-lib/http/freePort.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { devAccounts } from './devKeys.ts'
import type { LocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

/** A whole stack on a real Anvil that is reverted, drained, stopped and frozen. */

let stack: LocalStack
const lines: { readonly level: number; readonly msg: string }[] = []
const alerts: string[] = []
const acknowledged: Bytes32[] = []

let restarted: RunningAnvil | undefined
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chain-faults-'))
  stack = await startTestStack({
    // It is restarted on this port.
    ports: { chain: await freePort() },
    warn: (line) => void alerts.push(line),
    watch: { requestMs: 1_500, everyMs: 300 },
    parts: {
      logger: pino(
        { level: 'info' },
        { write: (line: string) => void lines.push(JSON.parse(line)) },
      ),
      chainWatch: (options) => ({
        ...options,
        client: createChainClient({ rpcUrl: `http://${options.node}`, timeout: 1_500 }),
        everyMs: 200,
      }),
      taskDeps: (deps) => ({
        ...deps,
        postingTimes: { retries: Array<number>(200).fill(300), probe: 300 },
      }),
    },
  })
})
afterEach(() => {
  lines.length = 0
})
afterAll(async () => {
  await stack.close()
  await restarted?.stop()
  await rm(directory, { recursive: true, force: true })
})

async function node(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(stack.chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: object }
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return result
}

let value = 50_000
async function create() {
  value += 1
  return await stackClient(stack.description).call('createTask', {
    policy_client: stack.description.clients['allow-list']!.policyClient,
    intent: plainIntent(stack.description, value),
  })
}
/** Tasks that succeeded. */
async function succeed(count = 1): Promise<Bytes32[]> {
  const ids: Bytes32[] = []
  for (let at = 0; at < count; at += 1) {
    const { result } = await create()
    expect(result).toMatchObject({ status: 'success' })
    ids.push(result!.task_id as Bytes32)
  }
  acknowledged.push(...ids)
  return ids
}

const patience = { timeout: 90_000, interval: 200 }
const onChain = (ids: readonly Bytes32[]) =>
  areResponded(
    createChainClient({ rpcUrl: stack.chain.url }),
    stack.config.chain!.taskManager as `0x${string}`,
    ids,
  )
const allOnChain = (ids: readonly Bytes32[]) =>
  expect.poll(async () => (await onChain(ids)).every((there) => there), patience).toBe(true)
async function health() {
  const response = await fetch(`${stack.service.adminUrl}/readyz`)
  return { status: response.status, text: await response.text() }
}
const healthy = () => expect.poll(health, patience).toEqual({ status: 200, text: 'ready\n' })
const logged = (message: string) =>
  expect.poll(() => lines.map(({ msg }) => msg), patience).toContain(message)
const accountOf = () => devAccounts.gateway.address

describe('posting on a chain that loses blocks', () => {
  it('posts results again after a revert, and continues immediately with new nonces', async () => {
    const before = await succeed()
    await allOnChain(before)
    const snapshot = await node('evm_snapshot')
    const lost = await succeed(3)
    await allOnChain(lost)
    await node('evm_revert', snapshot)
    expect(await onChain(lost)).toEqual([false, false, false])
    const after = await succeed(2)
    await allOnChain([...before, ...lost, ...after])
    await logged('the chain was reverted: blocks have left it')
    await logged('posting results again that left the chain')
    await healthy()
  })

  it.each([
    ['anvil_rollback', [3]],
    ['anvil_reorg', [3, []]],
  ] as const)('posts results again after %s', async (method, params) => {
    const ids = await succeed(3)
    await allOnChain(ids)
    await node(method, ...params)
    await allOnChain([...ids, ...(await succeed())])
    await healthy()
  })
})

describe('posting with an empty account or a failing node', () => {
  it('resends transactions that the node dropped', async () => {
    await node('evm_setAutomine', false)
    const ids = await succeed(2)
    const account = accountOf().toLowerCase()
    const pool = async () => {
      const { pending } = (await node('txpool_content')) as {
        pending: Record<string, Record<string, { hash: string }>>
      }
      return Object.entries(pending)
        .filter(([address]) => address.toLowerCase() === account)
        .flatMap(([, transactions]) => Object.values(transactions))
    }
    await expect.poll(async () => (await pool()).length, patience).toBe(2)
    for (const { hash } of await pool()) await node('anvil_dropTransaction', hash)
    await node('evm_setAutomine', true)
    await node('evm_mine')
    await allOnChain(ids)
    await healthy()
  })

  it('reports an empty account in health and log, and continues when it is funded', async () => {
    const balance = await node('eth_getBalance', accountOf(), 'latest')
    await node('anvil_setBalance', accountOf(), '0x0')
    const ids = await succeed(3)
    await expect
      .poll(async () => (await health()).text, patience)
      .toMatch(
        new RegExp(
          `^ready\nposting is degraded, 3 results waiting: .*insufficient funds of account ${accountOf()}: the transaction needs up to \\d+ wei, the account has 0 wei\n$`,
          'i',
        ),
      )
    await logged('posting is degraded')
    await node('anvil_setBalance', accountOf(), balance)
    await allOnChain(ids)
    await logged('posting recovered')
    await healthy()
  })

  it('detects a hanging node, returns the reason to callers, and recovers', async () => {
    const { pid } = stack.chain
    process.kill(pid!, 'SIGSTOP')
    try {
      await expect.poll(health, patience).toMatchObject({
        status: 503,
        text: expect.stringMatching(
          /^not ready\nchain: chain 31337: the chain node accepts requests but does not respond \(127\.0\.0\.1:\d+, since .+\): /,
        ),
      })
      await logged('the chain node accepts requests but does not respond')
      // It is answered when its reads time out; the alert comes meanwhile.
      const creating = create()
      await expect
        .poll(() => alerts.join(), patience)
        .toMatch(
          new RegExp(
            `^Anvil of chain 31337 \\(.*process ${pid}\\) accepts requests but does not respond`,
          ),
        )
      const { result, error } = await creating
      expect(error?.message ?? result?.error).toMatch(/^Contract read failed: /)
    } finally {
      process.kill(pid!, 'SIGCONT')
    }
    await logged('the chain node responds again')
    await allOnChain(await succeed())
    await healthy()
    await expect.poll(() => alerts.at(-1), patience).toMatch(/responds again\.$/)
  })

  it('posts results that were answered while the node was suspended', async () => {
    await node('evm_setAutomine', false)
    const ids = await succeed(2)
    await node('evm_setAutomine', true)
    await node('evm_mine')
    await allOnChain(ids)
    await healthy()
  })

  it('continues after the clock of the chain was moved', async () => {
    await node('evm_increaseTime', 86_400)
    await allOnChain(await succeed())
  })
})

describe('posting on a node that is killed', () => {
  it('reports the outage, and posts results again that the restored state lacks', async () => {
    const stateFile = join(directory, 'state.json')
    const dumped = (await node('anvil_dumpState')) as string
    await writeFile(stateFile, gunzipSync(Buffer.from(dumped.slice(2), 'hex')))
    const lost = await succeed(2)
    await allOnChain(lost)
    const { pid, port } = stack.chain
    process.kill(pid!, 'SIGKILL')
    await expect.poll(health, patience).toMatchObject({
      status: 503,
      text: expect.stringMatching(
        /^not ready\nchain: chain 31337: the chain node is unreachable \(/,
      ),
    })
    await logged('the chain node is unreachable')
    const { result, error } = await create()
    expect(error?.message ?? result?.error).toMatch(/^Contract read failed: /)
    restarted = await startAnvil({ port, loadState: stateFile })
    await logged('the chain node responds again')
    await allOnChain([...lost, ...(await succeed(2))])
    await healthy()
  })
})

// Last: after all faults, no result is lost or posted twice.
it('has each answered result on chain exactly once', async () => {
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  await allOnChain(acknowledged)
  const failed = await stack.service.store.database.query(
    `select id from tasks where posting is distinct from 'posted' and status = 'success'`,
  )
  expect(failed).toEqual([])
})
