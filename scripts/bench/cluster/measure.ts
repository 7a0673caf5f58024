import { setTimeout as pause } from 'node:timers/promises'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { type Bottleneck, bottleneckOf } from './bottleneck.ts'
import type { Deployment } from './deployment.ts'
import { blockNumber, databaseWork, type PostingWork, postingWork, settled } from './posted.ts'
import { type TimedLoad, timedLoad } from './timedLoad.ts'
import { type Kind, kinds, readUsage, type UsageBetween, usageBetween } from './usage.ts'

export type ClusterRow = {
  readonly gateways: number
  readonly operators: number
  readonly load: TimedLoad
  /** While the load ran. */
  readonly during: UsageBetween
  readonly bottleneck: Bottleneck
  /** CPU milliseconds per second of all processes of a kind that have nothing to do. */
  readonly idleMs: Readonly<Record<Kind, number>>
  /** The same per task, with posting and indexing, in addition to those. */
  readonly cpuMs: Readonly<Record<Kind, number>>
  /** Of PostgreSQL, what connections of the indexer used. */
  readonly postgresOfIndexerMs: number
  readonly commitsPerTask: number
  readonly walBytesPerTask: number
  readonly posting: PostingWork
}

export type LoadOptions = {
  readonly callers: number
  readonly seconds: number
  readonly most: number
}

/** How long the processes are measured without load. */
const idleSeconds = 4

/** Tasks before the measurement: they compile, connect and fill caches. */
type WarmUp = { readonly warmUp: number }

/** Starts gateways, sends tasks for some seconds, and waits until all results are posted. */
export async function measureGateways(
  deployment: Deployment,
  count: number,
  options: LoadOptions & WarmUp & { readonly signal: AbortSignal },
): Promise<ClusterRow> {
  const { signal } = options
  const cleanup = createCleanupStack()
  try {
    const gateways = await deployment.startGateways(count, cleanup)
    const pids = gateways.map(({ pid }) => pid)
    const send = (given: LoadOptions) =>
      timedLoad({
        urls: gateways.map(({ ready }) => ready.gatewayUrl),
        key: deployment.key,
        stack: deployment.stack,
        ...given,
        signal,
      })
    await send({ ...options, seconds: 120, most: options.warmUp })
    await settled(deployment, signal)
    const head = await blockNumber(deployment)
    const work = await databaseWork(deployment)

    const resting = await readUsage(deployment, pids)
    await pause(idleSeconds * 1000, undefined, { signal })
    const before = await readUsage(deployment, pids)
    const idle = usageBetween(resting, before)
    const load = await send(options)
    const during = usageBetween(before, await readUsage(deployment, pids))
    await settled(deployment, signal)
    const whole = usageBetween(before, await readUsage(deployment, pids))
    if (load.failures > 0) throw new Error(`${load.failures} tasks failed: ${load.firstFailure}`)

    const after = await databaseWork(deployment)
    const posting = await postingWork(deployment, head)
    const perTask = (value: number) => value / load.tasks
    const each = (of: (kind: Kind) => number) =>
      Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Record<Kind, number>
    const idleMs = each((kind) => (idle.total[kind] * 1000) / idle.seconds)
    const idleOfIndexer = (idle.postgresOfIndexer * 1000) / idle.seconds
    const above = (seconds: number, idlePerSecond: number) =>
      perTask(Math.max(0, seconds * 1000 - idlePerSecond * whole.seconds))
    return {
      gateways: count,
      operators: deployment.pids.operators.length,
      load,
      during,
      bottleneck: bottleneckOf(during),
      idleMs,
      cpuMs: each((kind) => above(whole.total[kind], idleMs[kind])),
      postgresOfIndexerMs: above(whole.postgresOfIndexer, idleOfIndexer),
      commitsPerTask: perTask(after.commits - work.commits),
      walBytesPerTask: perTask(after.walBytes - work.walBytes),
      posting,
    }
  } finally {
    await cleanup.close()
  }
}
