import { ChainWriteError } from 'polgate-chain/errors.ts'
import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { HttpRequestError } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../store/engines.fixture.ts'
import type { Store } from '../store/openStore.ts'
import { postingHealth } from './postingHealth.ts'
import { createPostOnChain, type PostOnChain } from './postOnChain.ts'
import type { TaskChain } from './taskChain.ts'
import type { PostingTimes } from './taskDeps.ts'
import { createTaskUpdates } from './taskUpdates.ts'
import { openSharedStores, type SharedStores } from './testing/sharedStores.ts'

const id = (number: number): Bytes32 => `0x${String(number).padStart(64, '0')}`
const chainId = 7
const intent = { from: '0x01', to: '0x02', value: '0x1', data: '0x', chainId: '0x7' }

const outOfReach = () =>
  new ChainWriteError('it does not answer', undefined, {
    code: 'unreachable',
    hint: '',
    cause: new HttpRequestError({ url: 'http://127.0.0.1:1' }),
  })

const refusal = (errorName: string) =>
  new ChainWriteError(errorName, errorName, { code: 'reverted', hint: '' })

describe.each(engines)('posting on the $name engine (decision T10)', ({ url }) => {
  let shared: SharedStores
  /** `by` is the store of the sending process. */
  let answer: (id: Bytes32, attempt: number, by: Store) => Promise<void>
  const sent: Bytes32[] = []
  const transactions: Bytes32[][] = []
  const heard: unknown[] = []
  const lostByChain = new Set<Bytes32>()
  const compared: Bytes32[] = []
  const posters: PostOnChain[] = []
  const updates = createTaskUpdates(() => {})
  updates.subscribeAll((news) => heard.push(news.kind === 'notification' && news.notification))

  beforeAll(async () => {
    shared = await openSharedStores(url)
  })
  afterEach(async () => {
    await Promise.all(posters.splice(0).map((poster) => poster.close()))
    await shared.store.database.execute('truncate tasks, notifications, leases')
    sent.length = 0
    transactions.length = 0
    lostByChain.clear()
    compared.length = 0
    heard.length = 0
  })
  afterAll(() => shared.close())

  const create = (
    postingTimes: Partial<PostingTimes> = {},
    store: Store = shared.store,
    postAll?: TaskChain['post'],
  ) => {
    const responded = async (ids: readonly Bytes32[]) => {
      compared.push(...ids)
      return ids.map((each) => !lostByChain.has(each))
    }
    const postOne = async ({ task }: OnChainAnswer) => {
      sent.push(task.taskId)
      await answer(task.taskId, sent.filter((each) => each === task.taskId).length, store)
    }
    const post = (answers: readonly OnChainAnswer[]) => {
      transactions.push(answers.map(({ task }) => task.taskId))
      return Promise.allSettled(answers.map(postOne))
    }
    const poster = createPostOnChain({
      store,
      chain: { chainId, post: postAll ?? post, responded } as Partial<TaskChain> as TaskChain,
      gatewayId: crypto.randomUUID(),
      attester: privateKeyToAccount(id(7)),
      clock: Date.now,
      uuid: () => crypto.randomUUID(),
      updates,
      postOnChain: true,
      log: { warn: () => {}, info: () => {} },
      postingTimes: { retries: [1, 1], close: 200, ...postingTimes },
    })
    posters.push(poster)
    return poster
  }

  /** A successful task, with its result of some bytes in the queue. */
  async function queue(number: number, bytes = 0): Promise<Bytes32> {
    const taskId = id(number)
    await shared.store.tasks.admit({
      policyClient: `0x${'ab'.repeat(20)}`,
      intentHash: taskId,
      idFor: () => taskId,
      method: 'createTask',
      apiKeyId: 'key',
      request: {},
      deadline: new Date(Date.now() + 30_000),
      chainId,
    })
    const result = {
      status: 'success',
      task: { taskId, intent },
      task_response: {
        ...{ task_id: taskId, intent, evaluation_result: [1] },
        policy_task_data: { policyData: [] },
        policy_config: { policyParams: '0x', expireAfter: 10 },
      },
      signature_data: `0x${'ab'.repeat(bytes)}`,
    } as never
    await shared.store.tasks.finish(taskId, { status: 'success', result, post: true })
    return taskId
  }
  const row = async (taskId: Bytes32) =>
    (
      await shared.store.database.query(
        `select posting, posting_attempts as attempts, posting_error as error,
           explored_at as explored from tasks where id = $1`,
        [taskId],
      )
    )[0]!
  const becomes = (taskId: Bytes32, posting: string) =>
    expect.poll(async () => (await row(taskId)).posting).toBe(posting)
  /** Adds as many results that were posted between these times, in seconds before now. */
  const addPosted = (count: number, least: number, most: number) =>
    shared.store.database.query(
      `insert into tasks select (jsonb_populate_record(task, jsonb_build_object(
         'id', '0x' || repeat(md5(each::text), 2), 'intent_hash', each::text,
         'posting', 'posted',
         'posting_at', now() - make_interval(secs => $2 + ($3::float8 - $2) * each / $1)))).*
       from tasks as task, generate_series(1, $1::int) as each where task.id = $4`,
      [count, least, most, id(1)],
    )
  const health = async () => postingHealth(await shared.store.postings.state(chainId), Date.now)
  const told = async (taskId: Bytes32) =>
    (await shared.store.notifications.forTask(taskId)).map(({ payload }) => payload)

  it('ends every result of a batch that cannot be sent at all', async () => {
    const all = [await queue(1), await queue(2)]
    create({ retries: [] }, shared.store, async () => {
      throw new Error('no transactor')
    }).wake()
    for (const each of all) await becomes(each, 'failed')
  })

  it('does not post again without a pause while its success cannot be stored', async () => {
    const posted = await queue(1)
    answer = async () => {}
    let failures = 0
    const broken: Store = {
      ...shared.store,
      postings: {
        ...shared.store.postings,
        posted: (...given) => {
          failures += 1
          if (failures > 3) return shared.store.postings.posted(...given)
          throw new Error('disk full')
        },
      },
    }
    const begin = performance.now()
    create({ retries: [100, 100], probe: 100 }, broken).wake()
    await becomes(posted, 'posted')
    expect(performance.now() - begin).toBeGreaterThan(250)
    expect(sent).toEqual([posted, posted, posted, posted])
  })

  it('notifies once of a result that the chain rejects, and continues', async () => {
    const [refused, taken] = [await queue(1), await queue(2)]
    answer = async (task) => {
      if (task === refused) throw new Error('no gas')
    }
    await shared.store.database.execute('update tasks set explored_at = now()')
    create().wake()
    await becomes(refused, 'failed')
    await becomes(taken, 'posted')
    const notifications = await told(refused)
    expect(notifications).toMatchObject([
      {
        failure_type: 'onchain_submission_failed',
        error_message: 'On-chain submission failed: no gas',
      },
    ])
    expect(heard).toEqual(notifications)
    expect(await told(taken)).toEqual([])
    expect(await row(refused)).toMatchObject({
      attempts: 1,
      error: 'On-chain submission failed: no gas',
      explored: null,
    })
  })

  it('posts what is due with as few transactions as their gas allows', async () => {
    answer = async () => {}
    const small = await Promise.all([1, 2, 3].map((at) => queue(at)))
    const large = await Promise.all([4, 5].map((at) => queue(at, 50_000)))
    create().wake()
    for (const each of [...small, ...large]) await becomes(each, 'posted')
    expect(transactions.flat().sort()).toEqual([...small, ...large])
    expect(transactions.map(({ length }) => length).sort()).toEqual([1, 4])
  })

  it('lets results wait for the transaction in flight, but not longer than a second', async () => {
    const first = await queue(1)
    let mined = () => {}
    answer = (task) =>
      task === first ? new Promise<void>((resolve) => (mined = resolve)) : Promise.resolve()
    const poster = create({ spacing: 300 })
    poster.wake()
    await expect.poll(() => transactions).toEqual([[first]])
    const more: Bytes32[] = []
    for (const at of [2, 3]) {
      more.push(await queue(at))
      poster.wake()
    }
    for (const each of more) await becomes(each, 'posted')
    expect(transactions).toEqual([[first], more])
    mined()
    await becomes(first, 'posted')
  })

  it('retries while the node is unavailable, a bounded number of times', async () => {
    const [late, never] = [await queue(1), await queue(2)]
    answer = async (task, attempt) => {
      if (task === never || attempt < 3) throw outOfReach()
    }
    create().wake()
    await becomes(late, 'posted')
    await becomes(never, 'failed')
    expect(await row(late)).toMatchObject({ attempts: 3, error: null })
    expect(await row(never)).toMatchObject({ attempts: 3 })
    expect(await told(never)).toHaveLength(1)
  })

  it('probes a failing node or account with one result at a time', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => queue(at + 1)))
    let broken = true
    answer = async () => {
      if (broken) throw outOfReach()
    }
    // If every result were retried this often, all would run out of attempts.
    create({ retries: [1, ...Array<number>(20).fill(50)], probe: 20 }).wake()
    await expect.poll(() => sent.length).toBeGreaterThan(15)
    expect(await health()).toMatchObject({
      problems: [
        expect.stringMatching(/^posting is degraded, 12 results waiting: .*does not answer/),
      ],
      waiting: 12,
      degraded: true,
    })
    broken = false
    for (const each of ids) await becomes(each, 'posted')
    expect(heard).toEqual([])
    expect(await health()).toMatchObject({
      problems: [],
      waiting: 0,
      degraded: false,
    })
  })

  it('posts again exactly the results that left the chain, however many', async () => {
    answer = async () => {}
    const ids: Bytes32[] = []
    const poster = create()
    for (let at = 1; at <= 70; at += 1) {
      ids.push(await queue(at))
      poster.wake()
      await becomes(ids.at(-1)!, 'posted')
    }
    const lost = ids.slice(-40)
    for (const each of lost) lostByChain.add(each)
    answer = async (task) => void lostByChain.delete(task)
    poster.recheckPosted(Date.now())
    await expect.poll(() => lostByChain.size).toBe(0)
    for (const each of ids) await becomes(each, 'posted')
    expect(sent).toHaveLength(110)
    expect([...sent.slice(70)].sort()).toEqual(lost)
    expect(heard).toEqual([])
  })

  it.each([
    ['posted after the chain went back', { intact: 1_000, lost: 1_100, later: [0, 900] }],
    ['recorded late, after results of later blocks', { intact: 0, lost: 500, later: [10, 20] }],
    ['posted before a stop of the service', { intact: 0, lost: 5_500, later: [5_000, 5_010] }],
  ])('finds lost results behind several pages that were %s', async (_, ago) => {
    answer = async () => {}
    const lost = await queue(1)
    const poster = create()
    poster.wake()
    await becomes(lost, 'posted')
    const at = new Date(Date.now() - ago.lost * 1_000)
    await shared.store.database.query('update tasks set posting_at = $1', [at])
    const [least, most] = ago.later
    await addPosted(500, least!, most!)
    lostByChain.add(lost)
    answer = async (task) => void lostByChain.delete(task)
    poster.recheckPosted(Date.now() - ago.intact * 1_000)
    await expect.poll(() => sent.filter((each) => each === lost).length).toBe(2)
    await becomes(lost, 'posted')
    expect(sent).toEqual([lost, lost])
  })

  it('does not compare what was posted long before with the chain', async () => {
    answer = async () => {}
    const latest = await queue(1)
    const poster = create()
    poster.wake()
    await becomes(latest, 'posted')
    await addPosted(250, 700, 800)
    compared.length = 0
    poster.recheckPosted(Date.now())
    await expect.poll(() => compared.length).toBe(200)
    await poster.close()
    expect(compared).toHaveLength(200)
  })

  it('reports results that left the chain and are rejected the second time', async () => {
    answer = async () => {}
    const taskId = await queue(1)
    const poster = create()
    poster.wake()
    await becomes(taskId, 'posted')
    lostByChain.add(taskId)
    answer = () => Promise.reject(refusal('QuorumNotReached'))
    poster.recheckPosted(Date.now())
    await becomes(taskId, 'failed')
    expect(await told(taskId)).toMatchObject([{ failure_type: 'onchain_submission_failed' }])
  })

  it('detects results that leave the chain before their posting is recorded', async () => {
    const taskId = await queue(1)
    const poster = create()
    answer = async (task, attempt) => {
      if (attempt > 1) return void lostByChain.delete(task)
      lostByChain.add(task)
      poster.recheckPosted(Date.now())
    }
    poster.wake()
    await expect.poll(() => sent).toEqual([taskId, taskId])
    await becomes(taskId, 'posted')
  })

  it('detects results that leave the chain while their recording seems to fail', async () => {
    const taskId = await queue(1)
    const { postings } = shared.store
    let recordings = 0
    const posted: Store['postings']['posted'] = async (ids) => {
      await postings.posted(ids)
      recordings += 1
      if (recordings === 1) throw new Error('the connection was lost after the commit')
    }
    const poster = create({}, { ...shared.store, postings: { ...postings, posted } })
    answer = async (task, attempt) => {
      if (attempt > 1) return void lostByChain.delete(task)
      lostByChain.add(task)
      poster.recheckPosted(Date.now())
    }
    poster.wake()
    await expect.poll(() => sent).toEqual([taskId, taskId])
    await becomes(taskId, 'posted')
    expect(recordings).toBe(2)
  })

  it('retries while the chain is behind the task', async () => {
    const taskId = await queue(1)
    answer = async (_, attempt) => {
      if (attempt < 3) throw refusal('TaskFromTheFuture')
    }
    create().wake()
    await becomes(taskId, 'posted')
  })

  it('leaves what it cannot post before shutdown to the next process', async () => {
    answer = () => new Promise(() => {})
    const ids = await Promise.all(Array.from({ length: 170 }, (_, at) => queue(at + 1)))
    // With a posting still in flight, the lease must expire before the next process takes it.
    const first = create({ lease: 600 })
    first.wake()
    await expect.poll(() => sent.length).toBe(160)
    await first.close()
    first.wake()
    expect(heard).toEqual([])
    expect(new Set(await Promise.all(ids.map(async (each) => (await row(each)).posting)))).toEqual(
      new Set(['queued']),
    )
    answer = async () => {}
    create().wake()
    for (const each of ids) await becomes(each, 'posted')
    expect(heard).toEqual([])
  })

  it.skipIf(url === undefined)('is done by one process at a time, once per result', async () => {
    const other = await shared.another()
    const posters = [create({ elsewhere: 20 }), create({ elsewhere: 20 }, other)]
    const sending: Store[] = []
    let together = 0
    answer = async (_, __, by) => {
      if (sending.some((each) => each !== by)) together += 1
      sending.push(by)
      await new Promise((resolve) => setTimeout(resolve, 5))
      sending.splice(sending.indexOf(by), 1)
    }
    const ids: Bytes32[] = []
    for (let at = 1; at <= 30; at += 1) {
      ids.push(await queue(at))
      posters[at % 2]!.wake()
    }
    for (const each of ids) await becomes(each, 'posted')
    expect(together).toBe(0)
    expect([...sent].sort()).toEqual(ids)
  })
})
