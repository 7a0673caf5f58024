import { Pool } from 'undici'

export type Load = {
  readonly calls: number
  readonly failures: number
  readonly firstFailure: string | undefined
  /** Milliseconds. */
  readonly p10: number
  readonly p50: number
  readonly p99: number
  readonly totalMs: number
  readonly perSecond: number
}

export type Target = { readonly url: string; readonly path: string; readonly key: string }

/**
 * Sends every body once, `parallel` at a time over as many connections, and times each response.
 */
export async function load(
  { url, path, key }: Target,
  bodies: readonly string[],
  parallel: number,
): Promise<Load> {
  const pool = new Pool(url, { connections: parallel, pipelining: 1 })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const times: number[] = []
  let failures = 0
  let firstFailure: string | undefined
  let next = 0

  async function lane(): Promise<void> {
    for (let at = next++; at < bodies.length; at = next++) {
      const begin = performance.now()
      const answer = await pool.request({ path, method: 'POST', headers, body: bodies[at]! })
      const text = await answer.body.text()
      times.push(performance.now() - begin)
      if (answer.statusCode !== 200 || /"status":"failed"|"success":false|"error":\{/.test(text)) {
        failures += 1
        firstFailure ??= text.slice(-600)
      }
    }
  }

  const begin = performance.now()
  await Promise.all(Array.from({ length: parallel }, lane))
  const totalMs = performance.now() - begin
  await pool.close()
  return {
    calls: bodies.length,
    failures,
    firstFailure,
    p10: quantile(times, 0.1),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    totalMs,
    perSecond: (bodies.length * 1000) / totalMs,
  }
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
