import { Unanswered } from '../core/unanswered.ts'

/** Whether the gateway still answers anything at all, as seen by one session. */
export type Reachability = {
  /**
   * Sends a request that any gateway answers. Why it gave no answer; undefined where it answered.
   */
  readonly lost: () => Promise<string | undefined>
  /** The same before a check, which sends nothing while the gateway answers. */
  readonly lostBefore: () => Promise<string | undefined>
}

export type ReachabilityOptions = {
  readonly gatewayUrl: string
  readonly fetch: typeof fetch
  /** How long the first check after an outage waits for a gateway that is started again. */
  readonly returnMs?: number
}

/** A loaded machine may refuse one connection. */
const tries = 2
const pauseMs = 250
const probeMs = 5_000

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, pauseMs))

async function probe({ gatewayUrl, fetch }: ReachabilityOptions): Promise<string | undefined> {
  try {
    const response = await fetch(`${gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(probeMs),
    })
    await response.body?.cancel()
    return undefined
  } catch (error) {
    // Any other error is about the answer, or about the limits of the run.
    return error instanceof Unanswered && error.why.silent ? error.why.text : undefined
  }
}

async function insistently(options: ReachabilityOptions): Promise<string | undefined> {
  let why: string | undefined
  for (let i = 0; i < tries; i++) {
    if (i > 0) await pause()
    why = await probe(options)
    if (why === undefined) return undefined
  }
  return why
}

/** Concurrent checks share one probe. */
export function createReachability(options: ReachabilityOptions): Reachability {
  const { returnMs = 5_000 } = options
  let down = false
  let waited = false
  let asking: Promise<string | undefined> | undefined
  const shared = (run: () => Promise<string | undefined>) => {
    asking ??= run().finally(() => {
      asking = undefined
    })
    return asking
  }
  const lost = () =>
    shared(async () => {
      const why = await insistently(options)
      down = why !== undefined
      if (!down) waited = false
      return why
    })
  const untilBack = async () => {
    const deadline = performance.now() + (waited ? 0 : returnMs)
    let why = await probe(options)
    while (why !== undefined && performance.now() < deadline) {
      await pause()
      why = await probe(options)
    }
    waited = why !== undefined
    down = why !== undefined
    return why
  }
  return { lost, lostBefore: async () => (down ? shared(untilBack) : undefined) }
}
