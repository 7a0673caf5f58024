import { AppError } from 'polgate-lib/errors/appError.ts'
import { BaseError, BlockNotFoundError, type Hash, type PublicClient, TimeoutError } from 'viem'

/** A block of the chain. */
export type SeenBlock = {
  readonly number: bigint
  readonly hash: Hash
}

export type ChainWatchLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

export type ChainWatchOptions = {
  /** Its requests must time out: see `createChainClient`. */
  readonly client: PublicClient
  readonly chainId: number
  /** Host and port of the node, for messages; the rest of its URL may contain a key. */
  readonly node: string
  readonly log: ChainWatchLog
  /** Unix milliseconds; default `Date.now`. */
  readonly clock?: (() => number) | undefined
  /** Called when blocks left the chain: it was reverted, reorganized or replaced. */
  readonly onWentBack?: ((change: WentBack) => void) | undefined
  /** Poll interval, milliseconds. Default 2,000. */
  readonly everyMs?: number | undefined
  /** Interval of repeated warnings during an outage, milliseconds. Default 60,000. */
  readonly remindMs?: number | undefined
}

/** The newest block that left the chain, and the latest block now. */
export type WentBack = {
  readonly from: number
  readonly to: number
  /** When all tracked blocks were last on the chain, Unix milliseconds. */
  readonly intactAt: number
}

/**
 * How the node fails: it accepts requests but does not respond, it is unreachable, or it is not
 * usable.
 */
export type NodeFailure = 'hangs' | 'unreachable' | 'refuses' | 'other-chain'

export type Outage = {
  readonly failure: NodeFailure
  readonly cause: string
  readonly since: Date
}

/** Polls the node of a chain to detect outages and reverts. */
export type ChainWatch = {
  /** The current outage of the node; undefined while it responds. */
  outage(): Outage | undefined
  /** The outage in one line. */
  problem(): string | undefined
  /**
   * When the node last reported its latest block, on the monotonic clock of the process; undefined
   * before it first has.
   */
  seen(): { readonly number: number; readonly at: number } | undefined
  /** Resolves when the first poll has ended. */
  readonly first: Promise<void>
  /** Tracks a block, to report when it leaves the chain. */
  rely(block: SeenBlock): void
  /** Does not wait for a hanging node. */
  close(): void
}

/**
 * Nodes behind a load balancer may lag behind each other: a lower block number must be seen twice.
 */
const looksUntilBack = 2

/** Maximum number of tracked blocks; there are few between two polls, and more in an outage. */
const maxRelied = 4_096

export function watchChain(options: ChainWatchOptions): ChainWatch {
  const { client, chainId, node, log, onWentBack, everyMs = 2_000, remindMs = 60_000 } = options
  const { clock = Date.now } = options
  let outage: Outage | undefined
  let toldAt = 0
  const relied = new Map<Hash, SeenBlock>()
  let intactAt = clock()
  let suspicions = 0
  let chainChecked = false
  let closed = false
  let wake = () => {}
  let seen: { readonly number: number; readonly at: number } | undefined
  let endFirst = () => {}
  const first = new Promise<void>((resolve) => {
    endFirst = resolve
  })
  void run()

  async function run(): Promise<void> {
    while (!closed) {
      try {
        await look()
        recovered()
      } catch (error) {
        failed(error)
      }
      endFirst()
      if (closed) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs)
        timer.unref()
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async function look(): Promise<void> {
    if (!chainChecked) {
      const told = await client.getChainId()
      if (told !== chainId)
        throw new OtherChain(`the node is on chain ${told}, expected ${chainId}`)
      chainChecked = true
    }
    const asked = clock()
    const { number, hash } = await client.getBlock({ blockTag: 'latest' })
    seen = { number: Number(number), at: performance.now() }
    // Blocks tracked during this poll are checked by the next one.
    const known = [...relied.values()]
    const gone = await missing(known, { number, hash })
    if (closed) return
    if (gone.length === 0) {
      suspicions = 0
      intactAt = asked
      settle(known, { number, hash })
      return
    }
    suspicions += 1
    if (suspicions < looksUntilBack) return
    suspicions = 0
    settle(known, { number, hash })
    const from = Math.max(...gone.map((block) => Number(block.number)))
    const to = Number(number)
    log.warn({ chainId, node, from, to }, 'the chain was reverted: blocks have left it')
    onWentBack?.({ from, to, intactAt })
    intactAt = asked
  }

  async function missing(blocks: readonly SeenBlock[], latest: SeenBlock): Promise<SeenBlock[]> {
    const there = await Promise.all(
      blocks.map(async (block) => {
        if (block.number > latest.number) return false
        return block.number === latest.number ? block.hash === latest.hash : await has(block)
      }),
    )
    return blocks.filter((_, at) => !there[at])
  }

  /** Checked blocks need no further checks: the latest covers all before it. */
  function settle(blocks: readonly SeenBlock[], latest: SeenBlock): void {
    for (const { hash } of blocks) relied.delete(hash)
    relied.set(latest.hash, latest)
  }

  async function has({ number, hash }: SeenBlock): Promise<boolean> {
    const block = await client.getBlock({ blockNumber: number }).catch((error: unknown) => {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    })
    return block?.hash === hash
  }

  function failed(error: unknown): void {
    if (closed) return
    const { failure, cause } = describe(error)
    // Another node may respond at this address after the outage.
    chainChecked = false
    const before = outage
    outage = { failure, cause, since: before?.since ?? new Date() }
    const now = performance.now()
    if (before?.failure === failure && now - toldAt < remindMs) return
    toldAt = now
    log.warn({ chainId, node, ...outage }, texts[failure])
  }

  function recovered(): void {
    if (closed || outage === undefined) return
    log.info({ chainId, node, since: outage.since }, 'the chain node responds again')
    outage = undefined
  }

  return {
    outage: () => outage,
    problem() {
      if (outage === undefined) return undefined
      const { failure, cause, since } = outage
      return `chain ${chainId}: ${texts[failure]} (${node}, since ${since.toISOString()}): ${cause}`
    },
    seen: () => seen,
    first,
    rely(block) {
      if (relied.size < maxRelied) relied.set(block.hash, block)
    },
    close() {
      closed = true
      wake()
    },
  }
}

const texts: Readonly<Record<NodeFailure, string>> = {
  hangs: 'the chain node accepts requests but does not respond',
  unreachable: 'the chain node is unreachable',
  refuses: 'the chain node refuses requests',
  'other-chain': 'the chain node is on another chain',
}

class OtherChain extends AppError {}

const longestCause = 300

function describe(error: unknown): { readonly failure: NodeFailure; readonly cause: string } {
  const text = error instanceof BaseError ? error.shortMessage : String((error as Error).message)
  const cause = text.slice(0, longestCause)
  if (error instanceof OtherChain) return { failure: 'other-chain', cause }
  if (!(error instanceof BaseError)) return { failure: 'refuses', cause }
  if (error.walk((each) => each instanceof TimeoutError) !== null)
    return { failure: 'hangs', cause }
  const http = error.walk((each) => (each as Error).name === 'HttpRequestError')
  const status = (http as { status?: number } | null)?.status
  return { failure: http !== null && status === undefined ? 'unreachable' : 'refuses', cause }
}
