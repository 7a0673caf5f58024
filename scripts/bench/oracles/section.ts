/** One part of `npm run bench:oracles`: it tells its figures as it finds them. */
export type Section = {
  /** Chosen by `--only NAME`; first part of its figures' names in JSON. */
  name: string
  title: string
  run(bench: Bench): Promise<void>
}

export type Bench = {
  /** Fewer runs: enough to see that it works and about where it stands. */
  quick: boolean
  /** A subject within the section; the figures after it are about this. */
  heading(text: string): void
  /** One figure, printed at once and kept for `--json`. `unit` is `ms`, `MiB`, `runs/s`, `x`... */
  figure(name: string, value: number, unit: string): void
  /** What a figure cannot say, in a line. */
  note(text: string): void
}

/** The value below which this share of the sorted-or-not samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** How long a piece of work took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
