/** Time limits of evaluations. */

/** How many times its limit an evaluation may take by the clock on the wall. */
const BACKSTOP = 10

type Usage = { readonly user: number; readonly system: number }

/** Own CPU time: of the thread from Node 23.9, else of the process; none in browsers. */
type Host = { threadCpuUsage?(): Usage; cpuUsage?(): Usage }

const host = (globalThis as { readonly process?: Host }).process

/**
 * CPU time of this thread in milliseconds; where the system tells only that of the whole process,
 * that. Undefined in browsers.
 */
function cpuTime(): number | undefined {
  const usage = host?.threadCpuUsage?.() ?? host?.cpuUsage?.()
  return usage === undefined ? undefined : (usage.user + usage.system) / 1_000
}

export type DeadlineOptions = {
  readonly limitMs: number
  /** A monotonic clock that alone decides, for callers with one of their thread's CPU time. */
  readonly clock?: (() => number) | undefined
  /** For tests: CPU time and wall clock, milliseconds. */
  readonly cpu?: () => number | undefined
  readonly wall?: () => number
}

/**
 * The end of an evaluation's time. Its own CPU time counts, so that a busy machine does not fail
 * it; never more than the wall clock, since other threads may share the process. If it waits for
 * the machine ten times its limit, it ends too.
 */
export class Deadline {
  private readonly options: DeadlineOptions
  private readonly started: number
  /** CPU time at the first look, which is soon after the start; cheap evaluations never ask. */
  private cpuAtFirst: number | undefined
  private looked = false

  constructor(options: DeadlineOptions) {
    this.options = options
    this.started = this.wall()
  }

  private wall(): number {
    const { clock, wall } = this.options
    return clock !== undefined ? clock() : wall !== undefined ? wall() : performance.now()
  }

  private cpu(): number | undefined {
    const { cpu } = this.options
    return cpu === undefined ? cpuTime() : cpu()
  }

  /** Whether the time is over. Call it regularly from the start of the evaluation. */
  passed(): boolean {
    const { clock, limitMs } = this.options
    const spent = this.wall() - this.started
    if (clock !== undefined) return spent > limitMs
    if (!this.looked) {
      this.looked = true
      this.cpuAtFirst = this.cpu()
    }
    // The wall clock is never behind the CPU time of one thread, which takes longer to read.
    if (spent <= limitMs) return false
    const cpu = this.cpu()
    if (cpu === undefined || this.cpuAtFirst === undefined) return true
    return cpu - this.cpuAtFirst > limitMs || spent > BACKSTOP * limitMs
  }
}
