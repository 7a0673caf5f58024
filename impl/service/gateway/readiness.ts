/** What calls need of the service (decision E10). */
export const needs = ['store', 'chain', 'operators', 'contents', 'connections'] as const
export type Need = (typeof needs)[number]

/** Says why the need is not met, in one line, or undefined. A rejection counts as its message. */
export type NeedCheck = () => string | undefined | Promise<string | undefined>

export type ReadinessState = {
  readonly ready: boolean
  /** Why each need that is not met is not. */
  readonly unmet: ReadonlyMap<Need, string>
  /** What works less well than it should, one line each; it does not affect readiness. */
  readonly problems: readonly string[]
}

/** The only source of `/readyz` and of the metrics, and therefore of `polgate status` and Studio. */
export type Readiness = {
  /** Never rejects, and takes no longer than `withinMs`. */
  current(): Promise<ReadinessState>
}

export type ReadinessTimes = {
  /** How long a result lasts from the begin of its check, milliseconds. */
  readonly lastsMs: number
  /** The same of a need that is not met: its end is found sooner. */
  readonly unmetLastsMs: number
  /** A check that takes longer counts as failed until it ends. */
  readonly withinMs: number
  /** A check that takes longer is replaced by another one: its connection may be dead. */
  readonly abandonMs: number
}

/** From a fault to 503, and from its end to 200: less than two seconds, with time for requests. */
const defaultTimes: ReadinessTimes = {
  lastsMs: 500,
  unmetLastsMs: 500,
  withinMs: 900,
  abandonMs: 10_000,
}

export type ReadinessDeps = {
  readonly checks: Readonly<Record<Need, NeedCheck>>
  /** One line each. */
  readonly problems: () => Promise<readonly string[]>
  readonly times?: Partial<ReadinessTimes> | undefined
}

/**
 * Checks what calls need, only when it is wanted and at most twice a second, however many ask for it.
 * Time is monotonic: a clock that jumps changes nothing.
 */
export function createReadiness(deps: ReadinessDeps): Readiness {
  const times = { ...defaultTimes, ...deps.times }
  const watched = needs.map((need) => ({
    need,
    unmet: shared<string | undefined>(times, {
      run: async () => {
        const reason = await Promise.resolve().then(deps.checks[need]).catch(reasonOf)
        return reason === undefined ? undefined : `${need}: ${oneLine(reason)}`
      },
      late: `${need}: no answer within ${times.withinMs} ms`,
      lastsMs: (reason) => (reason === undefined ? times.lastsMs : times.unmetLastsMs),
    }),
  }))
  const undetermined = ['problems cannot be determined']
  const problems = shared<readonly string[]>(times, {
    run: () =>
      Promise.resolve()
        .then(deps.problems)
        .catch(() => undetermined),
    late: undetermined,
    lastsMs: () => times.lastsMs,
  })
  return {
    async current() {
      const [lines, ...reasons] = await Promise.all([
        problems(),
        ...watched.map(async (each) => [each.need, await each.unmet()] as const),
      ])
      const unmet = new Map<Need, string>()
      for (const [need, reason] of reasons) if (reason !== undefined) unmet.set(need, reason)
      return { ready: unmet.size === 0, unmet, problems: lines }
    },
  }
}

type Check<Result> = {
  /** Never rejects. */
  readonly run: () => Promise<Result>
  /** The result while it takes too long. */
  readonly late: Result
  readonly lastsMs: (result: Result) => number
}

/** One check for all who ask until its result is old. */
function shared<Result>(
  { withinMs, abandonMs }: ReadinessTimes,
  { run, late, lastsMs }: Check<Result>,
): () => Promise<Result> {
  let underWay: Promise<Result> | undefined
  let answer: Promise<Result> = Promise.resolve(late)
  let oldAt = Number.NEGATIVE_INFINITY

  function begin(): void {
    const begunAt = performance.now()
    oldAt = begunAt + abandonMs
    const own = run()
    underWay = own
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<Result>((resolve) => {
      // What ended while this thread was busy is handled before.
      timer = setTimeout(() => setImmediate(() => resolve(late)), withinMs)
    })
    answer = Promise.race([own, tooLate])
    void own.then((result) => {
      clearTimeout(timer)
      // Another one has replaced it.
      if (underWay !== own) return
      answer = own
      oldAt = begunAt + lastsMs(result)
    })
  }

  return () => {
    if (performance.now() >= oldAt) begin()
    return answer
  }
}

const longest = 500

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'an unknown error'

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, longest)
