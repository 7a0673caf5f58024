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
