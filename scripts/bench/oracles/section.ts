/** One part of `npm run bench:oracles`; it reports its figures as they are measured. */
export type Section = {
  /** Name for `--only NAME`; prefix of its figures in JSON. */
  name: string
  title: string
  run(bench: Bench): Promise<void>
}

export type Bench = {
  /** Fewer runs, for a quick estimate. */
  quick: boolean
  /** Starts a subject within the section, to which the following figures belong. */
  heading(text: string): void
  /**
   * Reports one figure, printed immediately and included in `--json`. `unit` is `ms`, `MiB`,
   * `runs/s`, `x`...
   */
  figure(name: string, value: number, unit: string): void
  /** A remark of one line. */
  note(text: string): void
}

/** The percentile of unsorted samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Duration of an operation in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
