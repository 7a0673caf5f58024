import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { Pool } from 'undici'
import { quantile } from './load.ts'
import { createTaskBodies } from './requests.ts'

export type Fairness = {
  readonly tasks: number
  /** Calls of the other key that were answered while tasks were in progress. */
  readonly calls: number
  /** Waits of the other key, relative to the longest task under this load. */
  readonly medianWait: number
  readonly longestWait: number
  /** Fraction of the tasks that ended before the first call of the other key. */
  readonly tasksBeforeFirst: number
}

/**
 * Sends many tasks concurrently with one key, and meanwhile calls for a public key with another one
 * repeatedly. Reports ratios, because absolute times depend on the load of the machine.
 */
export async function fairnessUnderTasks(
  stack: StackDescription,
  tasks: number,
): Promise<Fairness> {
  const busy = new Pool(stack.gatewayUrl, { connections: tasks, pipelining: 1 })
  const other = new Pool(stack.gatewayUrl, { connections: 1, pipelining: 1 })
  const call = async (pool: Pool, key: string, body: string): Promise<number> => {
    const begin = performance.now()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const answer = await pool.request({ path: '/rpc', method: 'POST', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 200 || /"error":\{/.test(text)) throw new Error(text.slice(-600))
    return performance.now() - begin
  }
  const method = `${stack.brand.methodPrefix}getSecretsPublicKey`
  const small = JSON.stringify({ jsonrpc: '2.0', id: '1', method })
  const bodies = createTaskBodies(stack, 'allow-list', tasks)
  await call(busy, stack.apiKeys.rpc, bodies.pop() as string)

  let ended = 0
  let before: number | undefined
  const waits: number[] = []
  const times = bodies.map(async (body) => {
    const time = await call(busy, stack.apiKeys.rpc, body)
    ended += 1
    return time
  })
  while (ended < bodies.length) {
    waits.push(await call(other, stack.apiKeys.read, small))
    before ??= ended
  }
  const longestTask = Math.max(...(await Promise.all(times)))
  await Promise.all([busy.close(), other.close()])
  return {
    tasks: bodies.length,
    calls: waits.length,
    medianWait: quantile(waits, 0.5) / longestTask,
    longestWait: Math.max(...waits) / longestTask,
    tasksBeforeFirst: (before ?? 0) / bodies.length,
  }
}
