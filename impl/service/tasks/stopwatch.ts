/** Records durations of task stages, milliseconds. Used by the benchmark, not by the service. */
export type Stopwatch = {
  record(stage: string, milliseconds: number): void
  /** Runs a stage, for instance as a span of a trace. */
  readonly around?: <T>(stage: string, work: () => Promise<T>) => Promise<T>
}

export const noStopwatch: Stopwatch = { record() {} }

export async function timed<T>(
  stopwatch: Stopwatch,
  stage: string,
  work: () => Promise<T>,
): Promise<T> {
  const begin = performance.now()
  try {
    return await inStage(stopwatch, stage, work)
  } finally {
    stopwatch.record(stage, performance.now() - begin)
  }
}

/** A stage that contains others: its time is not recorded, so that the times add up. */
export const inStage = <T>(
  { around }: Stopwatch,
  stage: string,
  work: () => Promise<T>,
): Promise<T> => (around === undefined ? work() : around(stage, work))

/** Records the timings reported by operators: `operator: rego` and so on. */
export function recordTimings(
  stopwatch: Stopwatch,
  answers: readonly { readonly answer: { readonly timings: Readonly<Record<string, number>> } }[],
): void {
  for (const { answer } of answers) {
    for (const [stage, ms] of Object.entries(answer.timings)) {
      stopwatch.record(`operator: ${stage}`, ms)
    }
  }
}
