import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createAdmin } from './admin.ts'
import { openTestGateway } from './gateway.fixture.ts'
import type { ReadinessState } from './readiness.ts'

describe('admin', () => {
  const stateOf = (state: Partial<ReadinessState> = {}) => ({
    current: async () => ({ ready: true, unmet: new Map(), problems: [], ...state }),
  })
  const get = async (path: string, state?: Partial<ReadinessState>) => {
    const readiness = stateOf(state)
    const response = await createAdmin({ registry: new Registry(), readiness }).request(path)
    return { status: response.status, text: await response.text() }
  }

  it('is alive', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' })
  })

  it('is ready when every need is met, and names each that is not, and what is degraded', async () => {
    expect(await get('/readyz')).toEqual({ status: 200, text: 'ready\n' })
    expect(await get('/readyz', { problems: ['slow'] })).toEqual({
      status: 200,
      text: 'ready\nslow\n',
    })
    const unmet = new Map([
      ['store', 'store: full'],
      ['chain', 'chain: away'],
    ] as const)
    expect(await get('/readyz', { ready: false, unmet, problems: ['slow'] })).toEqual({
      status: 503,
      text: 'not ready\nstore: full\nchain: away\nslow\n',
    })
  })

  it('does not serve calls', async () => {
    expect((await get('/rpc')).status).toBe(404)
  })

  it('counts calls by method and outcome, without a series for unknown methods', async () => {
    const gateway = await openTestGateway()
    await gateway.call('getSecretsPublicKey')
    await gateway.call('getSecretsPublicKey')
    await gateway.call('createTask', {})
    await gateway.call('made_up"} 1\nother{x="')
    const admin = createAdmin({ registry: gateway.registry, readiness: stateOf() })
    const text = await (await admin.request('/metrics')).text()
    expect(
      text.split('\n').filter((line) => !line.startsWith('#') && !line.includes('_sum')),
    ).toEqual([
      'gateway_calls_in_flight 0',
      '',
      'gateway_call_seconds_count{method="getSecretsPublicKey",outcome="result"} 2',
      'gateway_call_seconds_count{method="createTask",outcome="-32602"} 1',
      'gateway_call_seconds_count{method="none",outcome="-32601"} 1',
      '',
    ])
    await gateway.close()
  })
})
