import { AppError } from 'polgate-lib/errors/appError.ts'
import { BaseError, BlockNotFoundError, type Hash, type PublicClient, TimeoutError } from 'viem'

/** A block as it was seen on the chain. */
export type SeenBlock = {
  readonly number: bigint
  readonly hash: Hash
}

export type ChainWatchLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

export type ChainWatchOptions = {
  /** Its requests must end in time: see `createChainClient`. */
  readonly client: PublicClient
  readonly chainId: number
  /** Host and port: what is told of the node, as the rest of its address may hold a key. */
  readonly node: string
  readonly log: ChainWatchLog
  /** Blocks that were on the chain are not any more: it was reverted, reorganised or replaced. */
  readonly onWentBack?: ((change: WentBack) => void) | undefined
  /** Between two looks, milliseconds. Default 2,000. */
  readonly everyMs?: number | undefined
  /** Between two log lines of one outage, milliseconds. Default 60,000. */
  readonly remindMs?: number | undefined
}

/** The newest block that is gone, and the latest of the chain now. */
export type WentBack = {
  readonly from: number
  readonly to: number
}

/** How the node fails: it takes requests and does not answer, it cannot be reached, or it is not usable. */
export type NodeFailure = 'hangs' | 'unreachable' | 'refuses' | 'other-chain'

export type Outage = {
  readonly failure: NodeFailure
  readonly cause: string
  readonly since: Date
}

/** Looks at a chain's node all the time, so that an outage and a chain that went back are noticed. */
export type ChainWatch = {
  /** The present outage of the node; undefined while it answers. */
  outage(): Outage | undefined
  /** The outage in a line. */
  problem(): string | undefined
  /** A block that somebody relies on: it is told when it leaves the chain. */
  rely(block: SeenBlock): void
  /** Does not wait for a node that hangs. */
  close(): void
}

/** Nodes behind one address may lag behind each other: a lower block counts when it is seen again. */
const looksUntilBack = 2

/** Blocks between two looks; there are few. */
const maxRelied = 256

export function watchChain(options: ChainWatchOptions): ChainWatch {
  const { client, chainId, node, log, onWentBack, everyMs = 2_000, remindMs = 60_000 } = options
  let outage: Outage | undefined
  let toldAt = 0
  const relied = new Map<Hash, SeenBlock>()
  let suspicions = 0
  let chainChecked = false
  let closed = false
  let wake = () => {}
  void run()

  async function run(): Promise<void> {
    while (!closed) {
      try {
        await look()
        recovered()
      } catch (error) {
        failed(error)
      }
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
      if (told !== chainId) throw new OtherChain(`the node is one of chain ${told}, not ${chainId}`)
      chainChecked = true
    }
    const { number, hash } = await client.getBlock({ blockTag: 'latest' })
    // Those relied on while this look is under way are for the next one.
    const known = [...relied.values()]
    const gone = await missing(known, { number, hash })
    if (closed) return
    if (gone.length === 0) {
      suspicions = 0
      settle(known, { number, hash })
      return
    }
    suspicions += 1
    if (suspicions < looksUntilBack) return
    suspicions = 0
    settle(known, { number, hash })
    const from = Math.max(...gone.map((block) => Number(block.number)))
    const change = { from, to: Number(number) }
    log.warn({ chainId, node, ...change }, 'the chain went back: blocks have left it')
    onWentBack?.(change)
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

  /** What was looked at needs no more looks: the latest stands for all before it. */
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
    // Another node may answer in its place when it is back.
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
    log.info({ chainId, node, since: outage.since }, 'the chain node answers again')
    outage = undefined
  }

  return {
    outage: () => outage,
    problem() {
      if (outage === undefined) return undefined
      const { failure, cause, since } = outage
      return `chain ${chainId}: ${texts[failure]} (${node}, since ${since.toISOString()}): ${cause}`
    },
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
  hangs: 'the chain node takes requests and does not answer',
  unreachable: 'the chain node cannot be reached',
  refuses: 'the chain node refuses requests',
  'other-chain': 'the chain node is one of another chain',
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
