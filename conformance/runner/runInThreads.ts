import type { Capability, CheckInfo } from '../core/check.ts'
import { isSlow, longestFirst } from '../core/durations.ts'
import type { CheckFinished } from '../core/events.ts'
import { createLimitState } from '../targets/limits.ts'
import { type CheckThread, type LoadingThread, startCheckThread } from './checkThread.ts'
import type { ThreadInput } from './threadMessages.ts'

export type RunInThreadsOptions = {
  readonly checks: readonly CheckInfo[]
  readonly input: ThreadInput
  /** The module that each thread runs. */
  readonly worker: URL
  /** For that module, as its `workerData`. */
  readonly data?: unknown
  /** Begun before, with the same module: the first of the threads. */
  readonly loading?: LoadingThread | undefined
  /** Number of threads, each with a separate session against the target. */
  readonly workers: number
  /** Checks in progress at a time in each thread. */
  readonly concurrency: number
  /** Stop after this many failures of required checks. */
  readonly bail: number | undefined
  readonly onResult: (result: CheckFinished) => void
  readonly signal: AbortSignal
}

export type ThreadsRun = {
  /** Errors outside any check: the suite itself is broken. */
  readonly errors: readonly string[]
  /** Ended before its last check: by the signal, by `bail`, or by a thread that ended. */
  readonly stopped: boolean
  /** It was `bail` that ended it. */
  readonly bailed: boolean
}

/**
 * Resources that only one thread may use: accounts whose nonces are assigned in order, keys of the
 * target and ports of this machine that are lent to one check after another.
 */
const shared: readonly Capability[] = [
  'owner',
  'stranger',
  'provider',
  'sender',
  'webhook-receiver',
]

const staysHome = ({ needs, uses = [] }: CheckInfo) =>
  [...needs, ...uses].some((need) => shared.includes(need))

type Queue = { readonly slow: Iterator<CheckInfo>; readonly rest: Iterator<CheckInfo> }

function queueOf(checks: readonly CheckInfo[]): Queue {
  const ordered = longestFirst(checks)
  return {
    slow: ordered.filter(isSlow).values(),
    rest: ordered.filter((check) => !isSlow(check)).values(),
  }
}

/** A check that timed out on an overloaded machine. */
type Undecided = {
  readonly check: CheckInfo
  /** Where it ran: the values that it drew there are not drawn again. */
  readonly thread: CheckThread
  readonly first: CheckFinished
}

/** For all checks that run again together; after it the rest stay untestable. */
const longestAgainMs = 300_000

const withFirst = (again: CheckFinished, first: CheckFinished): CheckFinished => ({
  ...again,
  observations: [...(again.observations ?? []), `run again, since at first ${first.reason}`],
})

/**
 * Runs the checks in threads, apart from the process that may run a local stack: the longest first,
 * concurrently; then those that change state that others rely on, in the order of the catalogue,
 * one at a time. Those whose run proved nothing run again after the others. Reports each result as it arrives. A check in progress when the run is stopped
 * does not report; one that changes the target is awaited, so that it restores the target. Never
 * rejects.
 */
export async function runInThreads(options: RunInThreadsOptions): Promise<ThreadsRun> {
  const { checks, concurrency, bail, onResult, signal } = options
  // The limits of a target apply to all threads together.
  const input = { limitState: createLimitState(), ...options.input }
  const errors: string[] = []
  let failures = 0
  let stopped = false
  let bailed = false
  let stop: () => void = () => undefined
  const stopping = new Promise<undefined>((resolve) => {
    stop = () => {
      stopped = true
      resolve(undefined)
    }
  })
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  const threads: CheckThread[] = []
  const start = (loading: LoadingThread | undefined): CheckThread => {
    const thread = startCheckThread({
      input,
      worker: options.worker,
      data: options.data,
      loading,
      onNews: (news) => {
        for (const other of threads) if (other !== thread) other.learn(news)
      },
      onBroken: (message, ended) => {
        errors.push(message)
        if (ended) stop()
      },
    })
    return thread
  }
  const report = (result: CheckFinished | undefined) => {
    if (result === undefined) return
    onResult(result)
    if (result.verdict === 'failed' && result.level === 'must') failures++
    if (bail === undefined || failures < bail || stopped) return
    bailed = true
    stop()
  }
  const undecided: Undecided[] = []
  let againMs = 0
  /** Reports the result, unless the check is to run again. */
  const take = (check: CheckInfo, thread: CheckThread, result: CheckFinished | undefined) => {
    if (result?.overload === undefined) report(result)
    else undecided.push({ check, thread, first: result })
  }
  /**
   * A timeout of an overloaded machine proves nothing: such checks run once more, alone, when the suite
   * itself is no load any more.
   */
  const decide = async () => {
    for (const { check, thread, first } of undecided.splice(0)) {
      const begun = performance.now()
      const again = stopped || againMs > longestAgainMs ? undefined : await thread.ask(check)
      againMs += performance.now() - begun
      report(again === undefined ? first : withFirst(again, first))
    }
  }
  /** Runs checks from the first non-empty queue until all are empty or the run is stopped. */
  const lane = async (thread: CheckThread, queues: readonly Iterator<CheckInfo>[]) => {
    for (const queue of queues)
      for (let next = queue.next(); !next.done && !stopped; next = queue.next())
        take(next.value, thread, await Promise.race([thread.ask(next.value), stopping]))
  }
  /** Half of the lanes start with slow checks, which mostly wait, the others with the rest. */
  const lanes = (thread: CheckThread, queues: readonly Queue[]) =>
    Array.from({ length: concurrency }, (_, at) =>
      lane(
        thread,
        queues.flatMap(({ slow, rest }) => (at % 2 === 0 ? [slow, rest] : [rest, slow])),
      ),
    )

  const beside = checks.filter((check) => !check.exclusive)
  const alone = checks.filter((check) => check.exclusive)
  const everything = queueOf(beside)
  const atHome = queueOf(beside.filter(staysHome))
  const anywhere = queueOf(beside.filter((check) => !staysHome(check)))
  try {
    for (let i = 0; i < options.workers; i++)
      threads.push(start(i === 0 ? options.loading : undefined))
    const [home, ...others] = threads
    if (home === undefined) throw new Error('a run needs at least one thread')
    await Promise.all([
      ...(others.length === 0 ? lanes(home, [everything]) : lanes(home, [atHome, anywhere])),
      ...others.flatMap((thread) => lanes(thread, [anywhere])),
    ])
    await decide()
    for (const check of alone) {
      if (stopped) break
      // Gives it time to restore the target.
      take(check, home, await home.ask(check))
    }
    await decide()
  } finally {
    signal.removeEventListener('abort', stop)
    await Promise.all(threads.map((thread) => thread.end()))
  }
  return { errors, stopped, bailed }
}
