import type { Bytes32 } from '../protocol/scalars.ts'
import type { QueuedPosting } from '../store/postings.ts'
import { notificationOf } from './finishTask.ts'
import { isOutOfReach } from './outOfReach.ts'
import { postedAnswer } from './postedAnswer.ts'
import type { PostingTimes, TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'

export type PostOnChain = {
  /** There may be something in the queue; nobody waits for it (decision T10). */
  wake(): void
  /** Gives what is due some time; what is left stays in the queue for the next process. */
  close(): Promise<void>
}

type PostDeps = Pick<
  TaskDeps,
  | 'chain'
  | 'store'
  | 'gatewayId'
  | 'attester'
  | 'clock'
  | 'uuid'
  | 'updates'
  | 'postOnChain'
  | 'log'
  | 'postingTimes'
>

const second = 1_000

const postingTimes: PostingTimes = {
  retries: [0.5, 1, 2, 4, 8, 16, 32, 60, 60].map((each) => each * second),
  lease: 15 * second,
  renew: 4 * second,
  elsewhere: 0.3 * second,
  lookAgain: 5 * second,
  close: 3 * second,
}

const maxParallel = 4

/**
 * Posts results to the task manager in the background; a failure there harms no result. The queue is
 * in the store: it outlives this process. An account has one sequence of nonces, so that of several
 * gateways only the one that holds the lease of it sends; the lease goes from one to the other as
 * there is work. What a holder that went silent has sent nevertheless, the chain takes once.
 */
export function createPostOnChain(deps: PostDeps): PostOnChain {
  const { store, chain, gatewayId, log } = deps
  const times = { ...postingTimes, ...deps.postingTimes }
  const { chainId } = chain
  const lease = `poster/${chainId}/${deps.attester.address.toLowerCase()}`
  const shared = store.database.engine === 'server'
  const inHand = new Map<Bytes32, Promise<void>>()
  let takenAt: number | undefined
  let awake = false
  let passing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function wake(): void {
    if (closed || !deps.postOnChain) return
    awake = true
    clearTimeout(timer)
    passing ??= pass()
      .catch((err: unknown) => {
        log.warn({ err }, 'the queue of postings cannot be read')
        wakeIn(times.lookAgain)
      })
      .finally(() => {
        passing = undefined
        if (awake) wake()
      })
  }
  function wakeIn(milliseconds: number): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(wake, Math.min(milliseconds, 2 ** 31 - 1))
    timer.unref()
  }

  async function pass(): Promise<void> {
    while (awake) {
      awake = false
      const besides = [...inHand.keys()]
      if (shared && takenAt === undefined) {
        const next = await store.postings.nextDue(chainId, besides)
        if (next === undefined || next.getTime() > deps.clock()) return rest(next)
      }
      if (!(await mayPost())) return wakeIn(times.elsewhere)
      const limit = maxParallel - besides.length
      const due = limit > 0 ? await store.postings.due({ chainId, limit, besides }) : []
      for (const posting of due) begin(posting)
      if (inHand.size > 0) wakeIn(times.renew)
      else {
        const next = await store.postings.nextDue(chainId)
        await giveUpLease()
        rest(next)
      }
    }
  }

  /** Until the next one is due. */
  function rest(next: Date | undefined): void {
    const until = next === undefined ? undefined : Math.max(0, next.getTime() - deps.clock())
    const atMost = shared ? times.lookAgain : undefined
    const wait = Math.min(until ?? Number.POSITIVE_INFINITY, atMost ?? Number.POSITIVE_INFINITY)
    if (Number.isFinite(wait)) wakeIn(wait)
  }

  async function mayPost(): Promise<boolean> {
    if (!shared) return true
    const now = performance.now()
    if (takenAt !== undefined && now - takenAt < times.renew) return true
    takenAt = (await store.leases.take(lease, gatewayId, times.lease)) ? now : undefined
    return takenAt !== undefined
  }
  async function giveUpLease(): Promise<void> {
    if (takenAt === undefined) return
    takenAt = undefined
    await store.leases.release(lease, gatewayId)
  }

  function begin(posting: QueuedPosting): void {
    const work = send(posting)
      .catch((err: unknown) => log.warn({ task: posting.id, err }, 'a posting was not recorded'))
      .finally(() => {
        inHand.delete(posting.id)
        wake()
      })
    inHand.set(posting.id, work)
  }

  async function send({ id, result, attempts: before }: QueuedPosting): Promise<void> {
    const attempts = before + 1
    try {
      await chain.post(postedAnswer(id, result))
    } catch (error) {
      const why = (error instanceof Error ? error.message : 'unknown error').slice(0, 500)
      const pause = times.retries[before]
      if (pause === undefined || !isOutOfReach(error)) return await fail(id, attempts, why, error)
      log.info({ task: id, attempts }, 'on-chain submission is tried again')
      const at = new Date(deps.clock() + pause)
      return await store.postings.retry(id, { attempts, error: why, at })
    }
    await store.postings.posted(id, attempts)
  }

  async function fail(id: Bytes32, attempts: number, why: string, cause: unknown): Promise<void> {
    log.warn({ task: id, err: cause }, 'on-chain submission failed')
    const error = `On-chain submission failed: ${why}`
    const failure = new TaskFailure(error, {
      failureType: 'onchain_submission_failed',
      recoverable: false,
    })
    const notification = notificationOf(deps, id, failure)
    if (await store.postings.fail(id, { attempts, error, notification })) {
      deps.updates.publish(id, { kind: 'notification', notification })
    }
  }

  /** Until nothing is due. */
  async function quiet(): Promise<void> {
    while (passing !== undefined || inHand.size > 0) {
      await Promise.race([passing, ...inHand.values()].filter((each) => each !== undefined))
    }
  }

  return {
    wake,
    async close() {
      wake()
      let enough: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        enough = setTimeout(resolve, times.close)
      })
      await Promise.race([quiet(), late])
      clearTimeout(enough)
      closed = true
      awake = false
      clearTimeout(timer)
      await passing
      // What is still being sent has a nonce: the next holder waits until the lease has run out.
      if (inHand.size > 0) return
      await giveUpLease().catch((err: unknown) => log.warn({ err }, 'a lease was not given up'))
    },
  }
}
