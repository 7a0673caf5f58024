import type { Profiler } from 'node:inspector'

/** The functions of a CPU profile with the most time of their own, and their shares: `12 % parse`. */
export function profileShares({ nodes }: Profiler.Profile, most = 6): readonly string[] {
  const hits = new Map<string, number>()
  let all = 0
  for (const { callFrame, hitCount = 0 } of nodes) {
    const { functionName, lineNumber } = callFrame
    const name = functionName === '' ? `line ${lineNumber + 1}` : functionName
    hits.set(name, (hits.get(name) ?? 0) + hitCount)
    all += hitCount
  }
  return [...hits]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, count]) => `${Math.round((100 * count) / all)} % ${name}`)
}
