/** Median of as many runs as fit in a short time, at least three; milliseconds. */
export function timeOf(work: () => unknown, budgetMs = 400): number {
  work()
  const times: number[] = []
  const end = performance.now() + budgetMs
  while (times.length < 3 || (performance.now() < end && times.length < 200)) {
    const begin = performance.now()
    work()
    times.push(performance.now() - begin)
  }
  times.sort((a, b) => a - b)
  return times[times.length >> 1] ?? 0
}
