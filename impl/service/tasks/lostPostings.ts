import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { PostedCursor } from '../store/postings.ts'
import type { TaskDeps } from './taskDeps.ts'

type LostDeps = Pick<TaskDeps, 'chain' | 'store' | 'clock' | 'log'>

/** Results per query. */
const pageSize = 100
/**
 * Results are recorded after their block and not in the order of blocks: one that could not be
 * recorded during an outage is recorded after later ones. Milliseconds.
 */
const disorderMs = 600_000
/** Delay after a failed comparison, milliseconds. */
const retryMs = 5_000

/**
 * Finds posted results whose blocks have left the chain. A reorg removes the latest blocks of its
 * time, so results are compared from the latest backwards: all that were posted since the chain was
 * last intact (they hide the lost ones before them), all of the ten minutes before, and then until a
 * full page is still on chain.
 */
export type LostPostings = {
  /**
   * Compares now, and retries until it succeeds; calls `onFound` if results were lost.
   * @param intactAt when no result was missing yet, Unix milliseconds
   */
  look(intactAt: number): void
  /**
   * Number of comparisons requested: an increase means that the chain went back in the meantime.
   */
  readonly asked: number
  close(): Promise<void>
}

export function lostPostings(deps: LostDeps, onFound: () => void): LostPostings {
  const { chain, store, clock, log } = deps
  const { chainId } = chain
  let asked = 0
  /** The oldest `intactAt` of the comparisons that have not succeeded. */
  let since = Number.POSITIVE_INFINITY
  let closed = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function look(intactAt: number): void {
    asked += 1
    since = Math.min(since, intactAt)
    start()
  }

  function start(): void {
    if (closed || looking !== undefined) return
    clearTimeout(timer)
    const wanted = asked
    const from = since
    since = Number.POSITIVE_INFINITY
    looking = requeueLost(from)
      .then(
        () => {
          if (asked !== wanted) again(0)
        },
        (err: unknown) => {
          since = Math.min(since, from)
          log.warn({ chainId, err }, 'posted results cannot be compared with the chain')
          again(retryMs)
        },
      )
      .finally(() => {
        looking = undefined
      })
  }

  function again(milliseconds: number): void {
    if (!closed) timer = setTimeout(start, milliseconds).unref()
  }

  async function requeueLost(intactAt: number): Promise<void> {
    // The clock of a local stack goes back with its chain.
    const latestIntact = Math.min(intactAt, clock())
    /** Results from here on are all compared. */
    let atLeast: number | undefined
    let before: PostedCursor | undefined
    for (;;) {
      const page = await store.postings.lastPosted({ chainId, limit: pageSize, before })
      const last = page.at(-1)
      if (last === undefined || closed) return
      const intact = page.find(({ at }) => at.getTime() < latestIntact)
      if (intact !== undefined) atLeast ??= intact.at.getTime() - disorderMs
      const there = await chain.responded(page.map(({ id }) => id))
      const gone = page.map(({ id }) => id).filter((_, at) => !there[at])
      if (gone.length > 0) await requeue(gone)
      else if (atLeast !== undefined && page[0]!.at.getTime() < atLeast) return
      before = { at: last.at, id: last.id }
    }
  }

  async function requeue(ids: readonly Bytes32[]): Promise<void> {
    const results = await store.postings.requeue(
      ids,
      'the block with this posted result left the chain',
    )
    if (results === 0) return
    log.warn({ chainId, results }, 'posting results again that left the chain')
    onFound()
  }

  return {
    look,
    get asked() {
      return asked
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
    },
  }
}
