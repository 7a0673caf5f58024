import { Pool } from 'undici'
import { quantile } from '../service/load.ts'
import { createTaskBodies, type TaskStack } from '../service/requests.ts'

export type TimedLoad = {
  readonly tasks: number
  /** Of the tasks: not successful. */
  readonly failures: number
  readonly firstFailure: string | undefined
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/**
 * Sends `createTask` for some seconds, each caller one after the other, callers spread over the
 * gateways. Ends when the last response has arrived, or the signal aborts.
 */
export async function timedLoad(options: {
  readonly urls: readonly string[]
  readonly key: string
  readonly stack: TaskStack
  readonly callers: number
  readonly seconds: number
  /** At most this many tasks. */
  readonly most: number
  readonly signal: AbortSignal
}): Promise<TimedLoad> {
  const { urls, key, stack, callers, seconds, most, signal } = options
  const pools = urls.map((url) => new Pool(url, { connections: callers, pipelining: 1 }))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const times: number[] = []
  let begun = 0
  let failures = 0
  let firstFailure: string | undefined
  const begin = performance.now()

  async function caller(at: number): Promise<void> {
    const pool = pools[at % pools.length]!
    while (performance.now() < begin + seconds * 1000 && begun < most) {
      begun += 1
      const [body = ''] = createTaskBodies(stack, 'allow-list', 1)
      const sent = performance.now()
      const answer = await pool.request({ path: '/rpc', method: 'POST', headers, body, signal })
      const text = await answer.body.text()
      times.push(performance.now() - sent)
      if (answer.statusCode !== 200 || !/"status":"success"/.test(text)) {
        failures += 1
        firstFailure ??= text.slice(-600)
      }
    }
  }

  try {
    await Promise.all(Array.from({ length: callers }, (_, at) => caller(at)))
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()))
  }
  const elapsed = (performance.now() - begin) / 1000
  return {
    tasks: times.length,
    failures,
    firstFailure,
    perSecond: times.length / elapsed,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }
}
