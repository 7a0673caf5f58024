import { deployPolicy, deployProtocol } from 'polgate-chain/deploy.ts'
import { postTask } from 'polgate-chain/tasks.ts'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { prepare, taskIdOf } from '../../attestation/testing/attest.ts'
import { execute, mine } from '../../attestation/testing/calls.ts'
import { challenge, contradict, post } from '../../attestation/testing/provocations/taskManager.ts'
import { startWorld, type World } from '../../attestation/testing/world.ts'
import type { Store } from '../../store/openStore.ts'
import { openTestStore } from '../../store/testing/openTestStore.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import {
  afterReorganisation,
  anvilCall,
  indexerDeps,
  rowsOnChain,
  rowsShown,
} from './indexing.fixture.ts'

const chainId = 31_337
let world: World
let store: Store
let indexer: Indexer

beforeAll(async () => {
  ;[world, store] = await Promise.all([startWorld({ expireAfter: 1_000 }), openTestStore()])
  indexer = createIndexer(indexerDeps(world, store))
  indexer.start()
})
afterEach(async () => {
  world = await afterReorganisation(world)
})
afterAll(async () => {
  await indexer.close()
  await Promise.all([world.stop(), store.close()])
})

/** A task without a response, which needs no signatures. */
const preparedTask = async () => (await prepare(world)).task
async function create() {
  const task = await preparedTask()
  const { transactionHash } = await postTask(world.transactor, world.protocol.taskManager, task)
  return { id: task.taskId, transactionHash }
}
const shown = (id: string) => store.explorer.task(chainId, id)
const onChain = () => rowsOnChain(world.transactor.client, world.protocol.taskManager)

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
/** Waits until the explorer shows exactly the rows of the chain. */
const agrees = () =>
  eventually(async () => expect(await rowsShown(store, chainId)).toEqual(await onChain()))

/**
 * Replaces the last blocks by the same number of others; each transaction goes to its numbered
 * block.
 */
const reorganise = (depth: number, transactions: readonly (readonly [Hex, number])[] = []) =>
  anvilCall(world, 'anvil_reorg', depth, transactions)

const rawTransaction = async (hash: Hex) =>
  (await anvilCall(world, 'eth_getRawTransactionByHash', hash)) as Hex

describe('blocks that were dropped (decision X5)', () => {
  it('undo their events: spent or challenged tasks no longer are', async () => {
    const spent = await post(world)
    const { taskId } = spent.task
    await execute(world, spent)
    await agrees()
    expect((await shown(taskId))?.attestation_spent_at).not.toBeNull()
    await reorganise(1)
    await agrees()
    expect(await shown(taskId)).toMatchObject({
      attestation_spent_at: null,
      spent_txn_hash: null,
      challenge_result: 'unchallenged',
    })

    world = await afterReorganisation(world)
    await challenge(world, spent, await contradict(world, spent))
    await agrees()
    expect((await shown(taskId))?.challenge_result).toBe('success')
    await reorganise(1)
    await agrees()
    expect(await shown(taskId)).toMatchObject({
      task_challenged_at: null,
      challenged_txn_hash: null,
      challenge_result: 'unchallenged',
    })
    await reorganise(2)
    await agrees()
    expect((await shown(taskId))?.evaluation_result).not.toBeNull()
  })

  it('remove tasks permanently', async () => {
    const kept = await create()
    await mine(world, 1)
    const dropped = await post(world)
    await agrees()
    expect(await shown(dropped.task.taskId)).toBeDefined()
    await reorganise(2)
    await agrees()
    expect(await shown(dropped.task.taskId)).toBeUndefined()
    expect(await shown(kept.id)).toBeDefined()
  })

  it('keep tasks that are included again in other blocks and another order', async () => {
    const [one, other] = [await create(), await create()]
    await mine(world, 1)
    await agrees()
    const before = await Promise.all([shown(one.id), shown(other.id)])
    const [first, second] = await Promise.all([
      rawTransaction(one.transactionHash),
      rawTransaction(other.transactionHash),
    ])
    await reorganise(3, [
      [first, 1],
      [second, 2],
    ])
    await agrees()
    const after = await Promise.all([shown(one.id), shown(other.id)])
    const createdBlocks = (tasks: typeof after) => tasks.map((task) => task?.created_block)
    expect(createdBlocks(after)).toEqual(createdBlocks(before))
  })

  it('are detected at any depth', async () => {
    const old = await create()
    // Deeper than hashes of empty blocks are stored.
    for (let turn = 0; turn < 6; turn += 1) {
      await create()
      await mine(world, 60)
    }
    await agrees()
    await reorganise(6 * 61)
    await agrees()
    expect((await rowsShown(store, chainId))[0]?.id).toBe(old.id)
  })

  it('are detected when the chain is shorter, before and after it grows again', async () => {
    const kept = await create()
    const dropped = await create()
    await mine(world, 3)
    await agrees()
    await anvilCall(world, 'anvil_rollback', 4)
    await agrees()
    expect(await shown(dropped.id)).toBeUndefined()
    expect(await shown(kept.id)).toBeDefined()

    const snapshot = await anvilCall(world, 'evm_snapshot')
    world = await afterReorganisation(world)
    const later = await create()
    await mine(world, 2)
    await agrees()
    await anvilCall(world, 'evm_revert', snapshot)
    world = await afterReorganisation(world)
    const instead = await create()
    await mine(world, 5)
    await agrees()
    expect([await shown(later.id), await shown(instead.id)]).toMatchObject([
      undefined,
      { id: instead.id },
    ])
  })

  it('remove policies, and another may have the address', async () => {
    const policies = () => store.explorer.policies(chainId, { page: 1, size: 100 })
    const deploy = (version: string) =>
      deployPolicy(world.transactor, world.protocol, {
        entrypoint: 'sample.allow',
        policyCid: 'bafypolicy',
        version,
      })
    await agrees()
    const before = await policies()
    const address = await deploy('1.0.0')
    await eventually(async () => expect((await policies()).total).toBe(before.total + 1))
    await reorganise(1)
    await eventually(async () => expect(await policies()).toEqual(before))
    world = await afterReorganisation(world)
    expect(await deploy('2.0.0')).toBe(address)
    await eventually(async () =>
      expect((await policies()).results[0]).toMatchObject({
        address: address.toLowerCase(),
        policy_info: { version: '2.0.0' },
      }),
    )
  })

  it('in rapid succession leave the rows of the final chain', async () => {
    for (let turn = 1; turn <= 8; turn += 1) {
      world = await afterReorganisation(world)
      await create()
      await create()
      await mine(world, turn % 3)
      await reorganise(1 + (turn % 4))
    }
    await agrees()
    const [events] = await store.database.query<{ n: number }>(
      'select count(*)::int4 as n from explorer_events where chain_id = $1',
      [chainId],
    )
    const logs = await world.transactor.client.getLogs({
      address: world.protocol.taskManager,
      fromBlock: 0n,
    })
    const others = 1 // OwnershipTransferred on deployment
    expect(events?.n).toBe(logs.length - others)
  })

  it('are all of them when the chain was restarted', async () => {
    await agrees()
    const task = await preparedTask()
    await anvilCall(world, 'anvil_reset')
    await eventually(async () => expect(await rowsShown(store, chainId)).toEqual([]))
    world = await afterReorganisation(world)
    expect(await deployProtocol(world.transactor)).toEqual(world.protocol)
    const { taskManager } = world.protocol
    const moved = { ...task, taskCreatedBlock: 1 }
    const again = { ...moved, taskId: taskIdOf(moved, chainId) }
    await postTask(world.transactor, taskManager, again)
    await mine(world, 3)
    await agrees()
    expect(await shown(again.taskId)).toBeDefined()
    await eventually(() =>
      expect(indexer.status()).toMatchObject({ state: 'writing', lag: 0, problem: undefined }),
    )
  })
})
