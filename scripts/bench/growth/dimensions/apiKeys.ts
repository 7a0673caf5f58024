import { startLocalStack } from 'polgate-local/localStack.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { Pool } from 'undici'
import { quantile } from '../../service/load.ts'
import type { Dimension, Point } from '../dimension.ts'

export const apiKeys: Dimension = {
  title: 'getSecretsPublicKey by stored API keys, each call with another key',
  async measure({ quick }) {
    const store = await openStore({ ownThread: true })
    const stack = await startLocalStack({ openStore: async () => store })
    const pool = new Pool(stack.description.gatewayUrl, { connections: 1, pipelining: 1 })
    const method = `${stack.description.brand.methodPrefix}getSecretsPublicKey`
    const body = JSON.stringify({ jsonrpc: '2.0', id: '1', method })
    const keys: string[] = []
    const points: Point[] = []

    async function call(key: string): Promise<number> {
      const begin = performance.now()
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
      const answer = await pool.request({ path: '/rpc', method: 'POST', headers, body })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(text)
      return performance.now() - begin
    }

    try {
      for (const size of quick ? [10, 50] : [10, 100, 1_000, 10_000]) {
        while (keys.length < size) {
          const { key } = await store.apiKeys.create({
            name: `bench ${keys.length}`,
            permissions: ['rpc_read'],
          })
          keys.push(key)
        }
        for (let at = 0; at < (quick ? 5 : 300); at++) await call(keys[at % size]!)
        const times: number[] = []
        for (let at = 0; at < (quick ? 50 : 1_000); at++)
          times.push(await call(keys[(at * 97) % size]!))
        points.push({ size, cost: quantile(times, 0.5) })
      }
    } finally {
      await pool.close()
      await stack.close()
    }
    return [{ what: 'a call, p50', unit: 'ms', points, bound: { exponent: 0.1 } }]
  },
}
