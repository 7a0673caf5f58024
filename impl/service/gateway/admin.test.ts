import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createAdmin } from './admin.ts'
import { openTestGateway } from './gateway.fixture.ts'

describe('admin', () => {
  const get = async (path: string, ready = async () => true) => {
    const response = await createAdmin({ registry: new Registry(), ready }).request(path)
    return { status: response.status, text: await response.text() }
  }

  it('is alive', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' })
  })

  it('is ready when its dependencies are', async () => {
    expect(await get('/readyz')).toEqual({ status: 200, text: 'ready\n' })
    expect((await get('/readyz', async () => false)).status).toBe(503)
    expect((await get('/readyz', () => Promise.reject(new Error('INSIDE')))).text).toBe(
      'not ready\n',
    )
  })

  it.each([true, false])('says when problems cannot be determined: ready %s', async (ready) => {
    for (const problems of [
      () => Promise.reject(new Error('INSIDE')),
      () => {
        throw new Error('INSIDE')
      },
    ]) {
      const admin = createAdmin({ registry: new Registry(), ready: async () => ready, problems })
      const response = await admin.request('/readyz')
      expect({ status: response.status, text: await response.text() }).toEqual({
        status: ready ? 200 : 503,
        text: `${ready ? 'ready' : 'not ready'}\nproblems cannot be determined\n`,
      })
    }
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
    const admin = createAdmin({ registry: gateway.registry, ready: async () => true })
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
