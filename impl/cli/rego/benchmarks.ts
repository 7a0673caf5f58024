import { fullName, type TestResult } from 'polgate-rego/test/runTests.ts'

/** A line of `opa test --bench`: the name of a test, how often it ran, and the time of one run. */
export function benchmarkLine({ test, status, bench }: TestResult, forGo: boolean): string {
  const name = forGo ? goName(fullName(test)) : fullName(test)
  if (bench === undefined) return `${fullName(test)}: ${status.toUpperCase()}`
  const { runs, ms } = bench
  return `${name}\t${String(runs).padStart(8)}\t${((ms * 1e6) / runs).toFixed(0).padStart(10)} ns/op`
}

/** `BenchmarkDataPTestX` of `data.p.test_x`. */
const goName = (name: string): string =>
  `Benchmark${name
    .split(/[._]/)
    .map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`)
    .join('')}`
