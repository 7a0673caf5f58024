import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { QueuedPosting } from '../store/postings.ts'
import { notificationOf } from './finishTask.ts'
import { lostPostings } from './lostPostings.ts'
import { postedAnswer } from './postedAnswer.ts'
import type { PostingTimes, TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'
import { isCommonCause, isTransient } from './transientFailure.ts'

export type PostOnChain = {
  /** Checks the queue in the background (decision T10). */
  wake(): void
  /** Posted results may have left the chain: posts those again. */
  recheckPosted(): void
  /** Gives due results some time; the rest stays in the queue for the next process. */
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
  // Twenty minutes, enough to refill an account or repair a node.
  retries: [0.5, 1, 2, 4, 8, 16, 32, ...Array<number>(19).fill(60)].map((each) => each * second),
  lease: 15 * second,
  renew: 4 * second,
  elsewhere: 0.3 * second,
  recheckMs: 5 * second,
  probe: 10 * second,
  close: 3 * second,
}

/**
 * Results posted at a time. Each waits for two blocks, and nodes keep only 16 waiting
 * transactions of an account (the default of several).
 */
const maxParallel = 16

/**
 * Posts results to the task manager in the background; failures do not affect the results. The
 * queue is in the store and survives this process. An account has one sequence of nonces, so of
 * several gateways only the holder of a lease sends; the lease moves between them as there is work.
 * If a holder that lost its lease still sends, the contract accepts the response once. While the
 * account or the node fails, one result at a time probes for recovery, so that the others keep
 * their attempts.
 */
export function createPostOnChain(deps: PostDeps): PostOnChain {
  const { store, chain, gatewayId, log } = deps
  const times = { ...postingTimes, ...deps.postingTimes }
  const { chainId } = chain
  const lease = `poster/${chainId}/${deps.attester.address.toLowerCase()}`
  const shared = store.database.engine === 'server'
  const inFlightPostings = new Map<Bytes32, Promise<void>>()
  const lost = lostPostings(deps, wake)
  let takenAt: number | undefined
  /** Consecutive failures whose cause is not a single result. */
  let consecutiveFailures = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
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
        log.warn({ err }, 'posting queue cannot be read')
        wakeIn(times.recheckMs)
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
      const excluding = [...inFlightPostings.keys()]
      const held = pausedUntil - performance.now()
      if (held > 0) {
        // Another gateway may have a working node.
        if (inFlightPostings.size === 0) await giveUpLease()
        return wakeIn(Math.min(held, times.renew))
      }
      if (shared && takenAt === undefined) {
        const next = await store.postings.nextDue(chainId, excluding)
        if (next === undefined || next.getTime() > deps.clock()) return rest(next)
      }
      if (!(await mayPost())) return wakeIn(times.elsewhere)
      const limit = (consecutiveFailures > 0 ? 1 : maxParallel) - excluding.length
      const due = limit > 0 ? await store.postings.due({ chainId, limit, excluding }) : []
      for (const posting of due) begin(posting)
      if (inFlightPostings.size > 0) wakeIn(times.renew)
      else {
        const next = await store.postings.nextDue(chainId)
        await giveUpLease()
        rest(next)
      }
    }
  }

  /** Sleeps until the next result is due. */
  function rest(next: Date | undefined): void {
    const until = next === undefined ? undefined : Math.max(0, next.getTime() - deps.clock())
    const atMost = shared ? times.recheckMs : undefined
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
      .catch((err: unknown) => log.warn({ task: posting.id, err }, 'posting could not be recorded'))
      .finally(() => {
        inFlightPostings.delete(posting.id)
        wake()
      })
    inFlightPostings.set(posting.id, work)
  }

  async function send({ id, result, attempts: before }: QueuedPosting): Promise<void> {
    const attempts = before + 1
    const { asked } = lost
    try {
      await chain.post(postedAnswer(id, result))
    } catch (error) {
      const why = (error instanceof Error ? error.message : 'unknown error').slice(0, 500)
      if (isCommonCause(error)) troubled(why)
      else untroubled()
      const pause = times.retries[before]
      if (pause === undefined || !isTransient(error)) return await fail(id, attempts, why, error)
      log.info({ task: id, attempts, cause: why }, 'on-chain submission will be retried')
      const at = new Date(deps.clock() + pause)
      return await store.postings.retry(id, { attempts, error: why, at })
    }
    untroubled()
    await store.postings.posted(id, attempts)
    // A comparison that ran meanwhile did not see this result as posted.
    if (lost.asked !== asked) lost.look()
  }

  function troubled(cause: string): void {
    if (consecutiveFailures === 0) log.warn({ chainId, cause }, 'posting is degraded')
    const pause = times.retries[Math.min(consecutiveFailures, times.retries.length - 1)] ?? 0
    consecutiveFailures += 1
    pausedUntil = performance.now() + Math.min(pause, times.probe)
  }
  function untroubled(): void {
    pausedUntil = Number.NEGATIVE_INFINITY
    if (consecutiveFailures === 0) return
    consecutiveFailures = 0
    log.info({ chainId }, 'posting recovered')
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

  /** Waits until nothing is due. */
  async function quiet(): Promise<void> {
    while (passing !== undefined || inFlightPostings.size > 0) {
      await Promise.race(
        [passing, ...inFlightPostings.values()].filter((each) => each !== undefined),
      )
    }
  }

  return {
    wake,
    recheckPosted() {
      if (deps.postOnChain) lost.look()
    },
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
      await Promise.all([passing, lost.close()])
      // A transaction in flight has a nonce: the next holder waits until the lease expires.
      if (inFlightPostings.size > 0) return
      await giveUpLease().catch((err: unknown) =>
        log.warn({ err }, 'posting lease could not be released'),
      )
    },
  }
}
