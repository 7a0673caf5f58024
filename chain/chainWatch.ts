import { BaseError, BlockNotFoundError, type Hash, type PublicClient, TimeoutError } from 'viem'

/** A block as it was seen on the chain. */
export interface SeenBlock {
  readonly number: bigint
  readonly hash: Hash
}

export interface ChainWatchLog {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

export interface ChainWatchOptions {
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
export interface WentBack {
  readonly from: number
  readonly to: number
}

/** How the node fails: it takes requests and does not answer, it cannot be reached, or it is not usable. */
export type NodeFailure = 'hangs' | 'unreachable' | 'refuses' | 'other-chain'

export interface Outage {
  readonly failure: NodeFailure
  readonly cause: string
  readonly since: Date
}

/** Looks at a chain's node all the time, so that an outage and a chain that went back are noticed. */
export interface ChainWatch {
  /** The present outage of the node; undefined while it answers. */
  outage(): Outage | undefined
  /** The outage in a line. */
  problem(): string | undefined
  /** A block that somebody relies on: it is told when it leaves the chain. */
  rely(block: SeenBlock): void
  close(): Promise<void>
}

/** Nodes behind one address may lag behind each other: a lower block counts when it is seen again. */
const looksUntilBack = 2

export function watchChain(options: ChainWatchOptions): ChainWatch {
  const { client, chainId, node, log, onWentBack, everyMs = 2_000, remindMs = 60_000 } = options
  let outage: Outage | undefined
  let toldAt = 0
  let newest: SeenBlock | undefined
  let suspicions = 0
  let chainChecked = false
  let closed = false
  let wake = () => {}
  const running = run()

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
    const known = newest
    if (known === undefined) {
      newest = { number, hash }
      return
    }
    const isSame =
      number === known.number ? hash === known.hash : number > known.number && (await has(known))
    if (isSame) {
      suspicions = 0
      // Somebody may rely on a newer one by now.
      if (newest !== undefined && newest.number < number) newest = { number, hash }
      return
    }
    suspicions += 1
    if (suspicions < looksUntilBack) return
    suspicions = 0
    newest = { number, hash }
    const change = { from: Number(known.number), to: Number(number) }
    log.warn({ chainId, node, ...change }, 'the chain went back: blocks have left it')
    onWentBack?.(change)
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
    if (outage === undefined) return
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
      if (newest === undefined || newest.number < block.number) newest = block
    },
    async close() {
      closed = true
      wake()
      await running
    },
  }
}

const texts: Readonly<Record<NodeFailure, string>> = {
  hangs: 'the chain node takes requests and does not answer',
  unreachable: 'the chain node cannot be reached',
  refuses: 'the chain node refuses requests',
  'other-chain': 'the chain node is one of another chain',
}

class OtherChain extends Error {}

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
