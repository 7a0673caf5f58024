import { gasBound } from 'polgate-chain/tasks.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { QueuedPosting } from '../store/postings.ts'
import { notificationOf } from './finishTask.ts'
import { lostPostings } from './lostPostings.ts'
import { postedAnswer } from './postedAnswer.ts'
import {
  type Answered,
  apart,
  batchesOf,
  isGasBurnt,
  postingIsolation,
  type Standing,
} from './postingIsolation.ts'
import type { PostingTimes, TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'
import { isCommonCause, isTransient } from './transientFailure.ts'

export type PostOnChain = {
  /** Checks the queue in the background (decision T10). */
  wake(): void
  /**
   * Posted results may have left the chain: posts those again. Until `intactAt` (Unix milliseconds)
   * none had.
   */
  recheckPosted(intactAt: number): void
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
  spacing: second,
}

/**
 * Results in flight. They fill at most 16 transactions, which is what nodes keep of one account (the
 * default of several).
 */
const maxInFlight = 160

/**
 * Posts results to the task manager in the background; failures do not affect the results. The
 * queue is in the store and survives this process. An account has one sequence of nonces, so of
 * several gateways only the holder of a lease sends; the lease moves between them as there is work.
 * If a holder that lost its lease still sends, the contract accepts the response once. While the
 * account or the node fails, one result at a time probes for recovery, so that the others keep
 * their attempts. Results that burn gas are posted apart from others: see `postingIsolation`.
 *
 * What is due at a time is posted in one transaction, as far as its gas allows. Results that arrive
 * while one is in flight wait for its end, or for a second on chains that take longer.
 */
export function createPostOnChain(deps: PostDeps): PostOnChain {
  const { store, chain, gatewayId, log } = deps
  const times = { ...postingTimes, ...deps.postingTimes }
  const { chainId } = chain
  const lease = `poster/${chainId}/${deps.attester.address.toLowerCase()}`
  const shared = store.database.engine === 'server'
  const inFlightPostings = new Map<Bytes32, Promise<void>>()
  /** When the last transaction began. */
  let begun = Number.NEGATIVE_INFINITY
  /** Those whose results are in flight apart from others. */
  const isolated = new Set<string>()
  const isolation = postingIsolation(deps)
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
      const spacing = begun + times.spacing - performance.now()
      if (excluding.length > 0 && spacing > 0) return wakeIn(Math.min(spacing, times.renew))
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
      const limit = (consecutiveFailures > 0 ? 1 : maxInFlight) - excluding.length
      const due = limit > 0 ? await store.postings.due({ chainId, limit, excluding }) : []
      await sendTogether(due)
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

  async function sendTogether(due: readonly QueuedPosting[]): Promise<void> {
    const answers: Answered[] = []
    for (const posting of due) {
      try {
        const answer = postedAnswer(posting.id, posting.result)
        answers.push({ posting, answer, gas: gasBound(answer) })
      } catch (error) {
        await fail(posting.id, posting.attempts + 1, reasonOf(error), error)
      }
    }
    const standings = await isolation.standings(answers)
    const of = (kind: Standing['kind']) => answers.filter((_, at) => standings[at]!.kind === kind)
    for (const batch of batchesOf(of('together'))) begin(batch)
    for (const [at, standing] of standings.entries()) {
      const { id, attempts } = answers[at]!.posting
      if (standing.kind === 'refused') await fail(id, attempts, standing.why, undefined)
    }
    const { batches, later } = apart(answers, standings, isolated)
    for (const { subject, batch } of batches) {
      isolated.add(subject)
      begin(batch, () => isolated.delete(subject))
    }
    // Results of others are not to wait behind them.
    await store.postings.postpone(later, new Date(deps.clock() + times.spacing))
  }

  function begin(batch: readonly Answered[], ended = () => {}): void {
    begun = performance.now()
    const ids = batch.map(({ posting }) => posting.id)
    const work = send(batch)
      .catch((err: unknown) => {
        log.warn({ tasks: ids, err }, 'posting could not be recorded')
        // What is not recorded is still due, and would be posted again at once.
        troubled(reasonOf(err))
      })
      .finally(() => {
        for (const id of ids) inFlightPostings.delete(id)
        ended()
        wake()
      })
    for (const id of ids) inFlightPostings.set(id, work)
  }

  async function send(batch: readonly Answered[]): Promise<void> {
    const { asked } = lost
    const begunAt = deps.clock()
    const ends = await chain
      .post(batch.map(({ answer }) => answer))
      .catch((reason: unknown) => batch.map(() => ({ status: 'rejected', reason }) as const))
    const failures: { readonly answered: Answered; readonly error: unknown }[] = []
    const posted: QueuedPosting[] = []
    ends.forEach((end, at) => {
      const answered = batch[at]!
      if (end.status === 'fulfilled') posted.push(answered.posting)
      else failures.push({ answered, error: end.reason })
    })
    // One result probes whether the node or the account works again; the others keep their attempts.
    const common = failures.find(({ error }) => isCommonCause(error))
    if (common === undefined) untroubled()
    else troubled(reasonOf(common.error))
    try {
      await store.postings.posted(posted)
    } finally {
      // A comparison that ran meanwhile did not see these results as posted. They may be recorded
      // although an error was reported, as when the connection is lost.
      if (posted.length > 0 && lost.asked !== asked) lost.look(begunAt)
    }
    const burnt = failures.filter(({ error }) => isGasBurnt(error))
    await isolation.burnt(
      burnt.map(({ answered }) => answered),
      batch.length === 1,
    )
    for (const failure of failures) {
      if (failure === common || !isCommonCause(failure.error)) {
        await failed(failure, batch.length === 1)
      }
    }
  }

  async function failed(
    { answered, error }: { readonly answered: Answered; readonly error: unknown },
    alone: boolean,
  ): Promise<void> {
    const { id, attempts: before } = answered.posting
    const attempts = before + 1
    const why = reasonOf(error)
    const pause = times.retries[before]
    // With others it is posted once more, alone.
    const isFinal = !isTransient(error) || (isGasBurnt(error) && alone)
    if (pause === undefined || isFinal) return await fail(id, attempts, why, error)
    log.info({ task: id, attempts, cause: why }, 'on-chain submission will be retried')
    const at = new Date(deps.clock() + pause)
    await store.postings.retry(id, { attempts, error: why, at })
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
    recheckPosted(intactAt) {
      if (deps.postOnChain) lost.look(intactAt)
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

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : 'unknown error').slice(0, 500)
