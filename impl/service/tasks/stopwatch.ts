/** Takes how long stages of a task took, milliseconds. The benchmark gives one; the service none. */
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

/** What operators measured themselves: `operator: rego` and so on. */
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
