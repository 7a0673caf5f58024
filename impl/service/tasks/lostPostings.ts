import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { PostedCursor } from '../store/postings.ts'
import type { TaskDeps } from './taskDeps.ts'

type LostDeps = Pick<TaskDeps, 'chain' | 'store' | 'log'>

/** Results per query. */
const pageSize = 25
/** Delay after a failed comparison, milliseconds. */
const retryMs = 5_000

/**
 * Finds posted results whose blocks have left the chain. A reorg removes the latest blocks, so
 * results are compared from the latest backwards until a full page is still on chain.
 */
export type LostPostings = {
  /** Compares now, and retries until it succeeds; calls `onFound` if results were lost. */
  look(): void
  /**
   * Number of comparisons requested: an increase means that the chain went back in the meantime.
   */
  readonly asked: number
  close(): Promise<void>
}

export function lostPostings(deps: LostDeps, onFound: () => void): LostPostings {
  const { chain, store, log } = deps
  const { chainId } = chain
  let asked = 0
  let closed = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    asked += 1
    start()
  }

  function start(): void {
    if (closed || looking !== undefined) return
    clearTimeout(timer)
    const wanted = asked
    looking = requeueLost()
      .then(
        () => {
          if (asked !== wanted) again(0)
        },
        (err: unknown) => {
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

  async function requeueLost(): Promise<void> {
    let before: PostedCursor | undefined
    for (;;) {
      const page = await store.postings.lastPosted({ chainId, limit: pageSize, before })
      const last = page.at(-1)
      if (last === undefined || closed) return
      const there = await chain.responded(page.map(({ id }) => id))
      const gone = page.map(({ id }) => id).filter((_, at) => !there[at])
      if (gone.length === 0) return
      await requeue(gone)
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
