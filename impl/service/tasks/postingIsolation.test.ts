import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { hexToBytes, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../store/engines.fixture.ts'
import type { Store } from '../store/openStore.ts'
import { type GriefedWorld, startGriefedWorld } from './griefedWorld.fixture.ts'
import { type Behaviour, deployHostile } from './hostilePolicyData.fixture.ts'
import { postAnswers } from './postAnswers.ts'
import { postingHealth } from './postingHealth.ts'
import { createPostOnChain, type PostOnChain } from './postOnChain.ts'
import type { TaskChain } from './taskChain.ts'
import { createTaskUpdates } from './taskUpdates.ts'
import { openSharedStores, type SharedStores } from './testing/sharedStores.ts'

let griefed: GriefedWorld
beforeAll(async () => {
  griefed = await startGriefedWorld()
}, 120_000)
afterAll(() => griefed.world.stop())

const day = 24 * 3_600_000

describe.each(engines)('results that burn gas, on the $name engine (decision T10)', ({ url }) => {
  let shared: SharedStores
  const posters: PostOnChain[] = []
  /** Task ids of every call of the chain. */
  const batches: Bytes32[][] = []
  const warnings: Record<string, unknown>[] = []

  beforeAll(async () => {
    shared = await openSharedStores(url)
  })
  afterEach(async () => {
    await Promise.all(posters.splice(0).map((poster) => poster.close()))
    await shared.store.database.execute('truncate tasks, notifications, leases, gas_burners')
    batches.length = 0
    warnings.length = 0
  })
  afterAll(() => shared.close())

  const chainId = () => griefed.world.transactor.chainId

  /** A gateway that posts; `clock` in milliseconds. */
  const gateway = (store: Store = shared.store, clock = Date.now) => {
    const post: TaskChain['post'] = (answers) => {
      batches.push(answers.map(({ task }) => task.taskId))
      return postAnswers(griefed.world.transactor, griefed.chain(), answers)
    }
    const poster = createPostOnChain({
      store,
      chain: {
        chainId: chainId(),
        post,
        responded: async () => [],
      } as Partial<TaskChain> as TaskChain,
      gatewayId: crypto.randomUUID(),
      attester: privateKeyToAccount(numberToHex(7, { size: 32 })),
      clock,
      uuid: () => crypto.randomUUID(),
      updates: createTaskUpdates(() => {}),
      postOnChain: true,
      log: { warn: (fields) => void warnings.push(fields), info: () => {} },
      postingTimes: { retries: [1, 1], close: 2_000, spacing: 20, lease: 2_000 },
    })
    posters.push(poster)
    return poster
  }

  /** Puts the result of a task of a key into the queue. */
  async function queue(answer: OnChainAnswer, apiKeyId: string): Promise<Bytes32> {
    const { taskId } = answer.task
    await shared.store.tasks.admit({
      policyClient: answer.task.policyClient,
      intentHash: taskId,
      idFor: () => taskId,
      method: 'createTask',
      apiKeyId,
      request: {},
      deadline: new Date(Date.now() + 30_000),
      chainId: chainId(),
    })
    const result = storedResult(answer)
    await shared.store.tasks.finish(taskId, { status: 'success', result, post: true })
    return taskId
  }
  const queueAll = async (results: readonly (readonly [Behaviour, string])[]) => {
    const answers = await Promise.all(results.map(([how]) => griefed.resultOf(how)))
    const ids: Bytes32[] = []
    for (const [at, answer] of answers.entries()) ids.push(await queue(answer, results[at]![1]))
    return ids
  }
  const posting = async (id: Bytes32): Promise<unknown> => {
    const query = 'select posting from tasks where id = $1'
    return (await shared.store.database.query<{ posting: string }>(query, [id]))[0]?.posting
  }
  const becomes = (id: Bytes32, state: string) =>
    expect.poll(() => posting(id), { timeout: 20_000 }).toBe(state)
  const notices = async (id: Bytes32) =>
    (await shared.store.notifications.forTask(id)).map(({ payload }) => payload)

  it('costs two transactions for one result, and the other results none', async () => {
    const before = await griefed.sent()
    const ids = await queueAll([
      ['accepts', 'honest'],
      ['burnsAllGas', 'attacker'],
      ['accepts', 'honest'],
      ['returnsMuchData', 'other'],
    ])
    gateway().wake()
    await becomes(ids[1]!, 'failed')
    for (const at of [0, 2, 3]) await becomes(ids[at]!, 'posted')
    expect((await griefed.sent()) - before).toBe(2)
    expect(batches).toEqual([ids, [ids[1]]])
    expect(await notices(ids[1]!)).toMatchObject([{ failure_type: 'onchain_submission_failed' }])
    const burner = griefed.policyData.get('burnsAllGas')!.toLowerCase()
    expect(warnings).toContainEqual(
      expect.objectContaining({ policyData: `PolicyData ${burner}`, keyId: 'attacker' }),
    )
    const health = postingHealth(await shared.store.postings.state(chainId()), Date.now)
    expect(health).toMatchObject({ degraded: false, gasBurners: 2 })
    expect(health.problems.toSorted()).toEqual([
      expect.stringMatching(/^API key attacker: posted apart from others until a day after/),
      expect.stringContaining(`PolicyData ${burner}: posted apart`),
    ])
  })

  it('refuses what has burnt three transactions, also after a restart, and for a day', async () => {
    gateway().wake()
    const sentBefore = await griefed.sent()
    const ids = await queueAll(Array.from({ length: 6 }, () => ['reverts', 'attacker'] as const))
    posters[0]!.wake()
    for (const id of ids) await becomes(id, 'failed')
    // One transaction with all of them, each once alone until three are counted.
    expect((await griefed.sent()) - sentBefore).toBeLessThanOrEqual(3)
    await posters[0]!.close()

    const other = gateway(await shared.another())
    const sent = await griefed.sent()
    const [later, honest] = await queueAll([
      ['reverts', 'somebody else'],
      ['accepts', 'attacker'],
    ])
    other.wake()
    await becomes(later!, 'failed')
    await becomes(honest!, 'posted')
    expect((await griefed.sent()) - sent).toBe(1)
    expect(await notices(later!)).toMatchObject([
      { error_message: expect.stringMatching(/PolicyData 0x\w{40} has burnt the gas of 3 tra/) },
    ])
    await other.close()

    const [again] = await queueAll([['reverts', 'somebody else']])
    await shared.store.database.execute(
      `update gas_burners set burnt_at = burnt_at - interval '${day + 1} milliseconds'`,
    )
    gateway().wake()
    await becomes(again!, 'failed')
    expect((await griefed.sent()) - sent).toBe(2)
  })

  it('has the other results of a key posted, apart from those of other keys', async () => {
    await shared.store.gasBurners.burnt(chainId(), ['API key attacker'])
    const sent = await griefed.sent()
    const ids = await queueAll([
      ['accepts', 'attacker'],
      ['accepts', 'honest'],
      ['accepts', 'attacker'],
      ['accepts', 'honest'],
    ])
    gateway().wake()
    for (const id of ids) await becomes(id, 'posted')
    expect((await griefed.sent()) - sent).toBe(2)
    expect(batches.map((each) => each.toSorted()).toSorted()).toEqual(
      [
        [ids[1], ids[3]],
        [ids[0], ids[2]],
      ]
        .map((each) => each.toSorted())
        .toSorted(),
    )
  })

  it('does not isolate the PolicyData of somebody else that is used beside a hostile one', async () => {
    const victim = griefed.policyData.get('accepts')!
    const answer = await griefed.resultOfAll([griefed.policyData.get('burnsAllGas')!, victim])
    const attack = await queue(answer, 'attacker')
    gateway().wake()
    await becomes(attack, 'failed')
    const ids = await queueAll([
      ['accepts', 'honest'],
      ['returnsMuchData', 'other'],
    ])
    posters[0]!.wake()
    for (const id of ids) await becomes(id, 'posted')
    expect(batches.at(-1)!.toSorted()).toEqual(ids.toSorted())
  })

  it('lets no result wait behind many that are posted apart', async () => {
    const address = await deployHostile(griefed.world.transactor, 'accepts')
    await shared.store.gasBurners.burnt(chainId(), [`PolicyData ${address.toLowerCase()}`])
    const model = await griefed.resultOf(address)
    for (let at = 0; at < 165; at += 1) {
      const taskId = numberToHex(at + 1, { size: 32 })
      const { task, response } = model
      await queue({ ...model, task: { ...task, taskId }, response: { ...response, taskId } }, 'key')
    }
    const [honest] = await queueAll([['accepts', 'honest']])
    gateway().wake()
    await becomes(honest!, 'posted')
    expect(batches.length).toBeLessThan(60)
  })
})

/** A result as the store has it. */
function storedResult({ task, response, signatureData }: OnChainAnswer): TaskResult {
  const intentOf = (intent: OnChainAnswer['task']['intent']) => ({
    ...intent,
    value: numberToHex(intent.value),
    chainId: numberToHex(intent.chainId),
  })
  return {
    status: 'success',
    task: { ...task, intent: intentOf(task.intent) },
    task_response: {
      task_id: response.taskId,
      policy_client: response.policyClient,
      policy_id: response.policyId,
      policy_address: response.policyAddress,
      intent: intentOf(response.intent),
      intent_signature: response.intentSignature,
      evaluation_result: [...hexToBytes(response.evaluationResult)],
      policy_task_data: response.policyTaskData,
      policy_config: response.policyConfig,
    },
    signature_data: signatureData,
  } as unknown as TaskResult
}
