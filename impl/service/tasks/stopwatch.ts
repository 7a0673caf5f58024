/** Records durations of task stages, milliseconds. Used by the benchmark, not by the service. */
export type Stopwatch = {
  record(stage: string, milliseconds: number): void
}

export const noStopwatch: Stopwatch = { record() {} }

export async function timed<T>(
  stopwatch: Stopwatch,
  stage: string,
  work: () => Promise<T>,
): Promise<T> {
  const begin = performance.now()
  try {
    return await work()
  } finally {
    stopwatch.record(stage, performance.now() - begin)
  }
}

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
