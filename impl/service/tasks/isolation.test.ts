import { createServer, type Server, type Socket } from 'node:net'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { devOperators } from 'polgate-local/devKeys.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import type { LocalStackOptions } from 'polgate-local/localStackOptions.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { toBytes } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { blsKey } from '../attestation/bls.ts'
import type { Operator } from '../operators/operator.ts'
import type { TaskUpdates } from './taskUpdates.ts'

/** A slow or dead dependency delays only tasks that need it, and never beyond their timeout. */

// Tests what blocks what, not speed: long limits, for busy machines.
vi.setConfig({ testTimeout: 180_000 })

let stack: LocalStack | undefined
let updates: TaskUpdates
const servers: { server: Server; sockets: Set<Socket> }[] = []

async function start(options: Pick<LocalStackOptions, 'config' | 'parts'> = {}) {
  stack = await startTestStack({
    ...options,
    parts: {
      ...options.parts,
      taskDeps: (deps) => {
        updates = deps.updates
        return deps
      },
    },
  })
  const { description, service, fixtureHost } = stack
  return { description, service, fixtureHost, client: stackClient(description) }
}
/** Accepts connections, reads requests and never answers. */
async function startHanging() {
  const sockets = new Set<Socket>()
  let most = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    socket.on('data', () => {}).on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  servers.push({ server, sockets })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, most: () => most }
}
afterEach(async () => {
  await stack?.close()
  stack = undefined
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

let value = 20_000
type Started = Awaited<ReturnType<typeof start>>
function task({ description }: Started, fixture: string, more: Record<string, unknown> = {}) {
  value += 1
  return {
    policy_client: description.clients[fixture]!.policyClient,
    intent: plainIntent(description, value),
    ...more,
  }
}
const eth = encodeWasmArgs({ symbol: 'ETH' }, {})

describe('a chain node that accepts and never answers', () => {
  it('ends tasks at their timeout, bounds open requests, and does not delay requests without chain access', async () => {
    const node = await startHanging()
    const own = await start({
      config: (config) => ({ ...config, chain: { ...config.chain!, rpcUrl: node.url } }),
      // Longer than the timeout of the tasks below.
      parts: { chainReadMs: 3_000 },
    })
    const { client, service } = own
    const sent = client.call('sendTask', task(own, 'allow-list'))
    const waited = Promise.all(
      Array.from({ length: 100 }, () =>
        client.call('createTask', task(own, 'allow-list', { timeout: 1 })),
      ),
    )
    const { result: key } = await client.call('getSecretsPublicKey', {})
    expect(key!.public_key).toMatch(/^[0-9a-f]{64}$/)
    for (const { result } of await waited) {
      expect(result).toMatchObject({ status: 'timeout', error: 'Task timeout' })
    }
    // Without a block there is no task id, and so no task.
    expect((await sent).error).toMatchObject({ code: -32616 })
    expect(await service.store.tasks.listUnfinished()).toEqual([])
    expect(node.most()).toBeGreaterThan(0)
    // 64 at a time, and some aborted ones that are not closed yet: 101 without a bound.
    expect(node.most()).toBeLessThan(96)
    expect(updates.kept.latest).toBeLessThanOrEqual(1)
  })
})

describe('an operator that accepts and never answers', () => {
  const others = devOperators.length - 1
  /**
   * Calls to the hanging operator fail when the connection check does, after five seconds. A busy machine
   * may not have given the others time to sign by then, and this test's short grace would end: they have.
   */
  function failingLast(hanging: Address): (operator: Operator) => Operator {
    const signed = new Map<Bytes32, number>()
    return (operator) => ({
      ...operator,
      async sign(request, signal) {
        const { taskId } = request.draft
        const haveSigned = () => signed.get(taskId) === others
        try {
          const answer = await operator.sign(request, signal)
          signed.set(taskId, (signed.get(taskId) ?? 0) + 1)
          return answer
        } catch (error) {
          const isReady = () => operator.address !== hanging || signal.aborted || haveSigned()
          await vi.waitUntil(isReady, { timeout: 60_000, interval: 15 })
          throw error
        }
      },
    })
  }
  const withHanging = (at: number, url: string): Pick<LocalStackOptions, 'config' | 'parts'> => ({
    parts: { operator: failingLast(devOperators[at]!.address) },
    config: (config) => ({
      ...config,
      operatorGraceMs: 200,
      operators: config.operators!.map((operator, place) =>
        place === at
          ? {
              kind: 'remote',
              address: operator!.address,
              id: blsKey(toBytes(devOperators[at]!.blsKey)).operatorId,
              url,
              token: 't'.repeat(16),
            }
          : operator,
      ),
    }),
  })

  it('is excluded once the others hold the quorum, and otherwise delays only its own tasks', async () => {
    const { url } = await startHanging()
    const own = await start(withHanging(0, url))
    const { client } = own
    // It holds 40 of 100: the first task needs it, the second does not.
    const needs = client.call('createTask', task(own, 'allow-list', { timeout: 60 }))
    const without = await client.call(
      'createTask',
      task(own, 'priced-transfer', {
        wasm_args: eth,
        quorum_threshold_percentage: 60,
        timeout: 60,
      }),
    )
    const named = {
      operator_address: own.description.operators[0]!.address,
      message: expect.stringMatching(/^operator unreachable: (no answer|it has not answered)/),
      retryable: true,
    }
    expect(without.result).toMatchObject({ status: 'success', operator_errors: [named] })
    expect((await needs).result).toMatchObject({
      status: 'failed',
      error: 'Quorum not reached: stake 60 of the required 67 signed',
      operator_errors: [named],
    })
  })
})

describe('an oracle host that does not answer', () => {
  it('delays the tasks that query it, and no others', async () => {
    const own = await start({
      config: (config) => ({
        ...config,
        oracles: { ...config.oracles!, limits: { wallClockMs: 65_000 } },
      }),
    })
    own.fixtureHost.setMode('slow')
    const slow = await Promise.all(
      Array.from({ length: 8 }, () =>
        own.client.call('sendTask', task(own, 'priced-transfer', { wasm_args: eth })),
      ),
    )
    const other = await own.client.call(
      'createTask',
      task(own, 'echoed-approval', { wasm_args: encodeWasmArgs({ any: 1 }, {}), timeout: 60 }),
    )
    expect(other.result!.status).toBe('success')
    for (const { result } of slow) {
      const { finishedAt } = (await own.service.store.tasks.get(result!.task_id))!
      expect(finishedAt).toBeNull()
    }
  })
})

describe('many concurrent tasks', () => {
  it('all end, all publish their end, and none leaks memory', async () => {
    const own = await start()
    const ends = new Map<string, number>()
    const stops: (() => void)[] = []
    const sent = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const fixture = at % 5 !== 0 ? 'allow-list' : 'priced-transfer'
        const { result } = await own.client.call('sendTask', task(own, fixture, { wasm_args: eth }))
        const id = result!.task_id
        const seen = updates.latest(id)
        stops.push(
          updates.subscribe(id, (news) => {
            const final = news.kind === 'update' && news.update.data.progress === 100
            if (final) ends.set(id, (ends.get(id) ?? 0) + 1)
          }),
        )
        if (seen === undefined) ends.set(id, 1)
        return id
      }),
    )
    await expect.poll(() => ends.size, { timeout: 120_000 }).toBe(50)
    expect([...ends.values()].every((count) => count === 1)).toBe(true)
    const errors = await Promise.all(
      sent.map(async (id) => (await own.service.store.tasks.get(id))!.error),
    )
    expect(errors).toEqual(Array(50).fill(null))
    for (const stop of stops) stop()
    await expect.poll(() => updates.kept).toEqual({ latest: 0, topics: 0 })
  })
})
