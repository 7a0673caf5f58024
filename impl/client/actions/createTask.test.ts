import { describe, expect, it } from 'vitest'
import type { Fetch } from '../client/connection.ts'
import { type BaseClient, createBaseClient } from '../client/createBaseClient.ts'
import { createIntent } from '../intents/createIntent.ts'
import { createTask } from './createTask.ts'

const address = `0x${'11'.repeat(20)}` as const
const intent = createIntent({ from: address, to: address, chainId: 1 })

/** The options that `createTask` calls its method with; its request fails. */
async function optionsOf(timeout: number | undefined, options: object, fetch?: Fetch) {
  let given: unknown
  const client: BaseClient = {
    ...createBaseClient({ url: 'http://127.0.0.1:9', key: 'k', fetch }),
    request: async (_method, _params, called) => {
      given = called
      throw new Error('requested')
    },
  }
  const params = { policy_client: address, intent, ...(timeout !== undefined && { timeout }) }
  const error = await createTask(client, params, options).catch((thrown: unknown) => thrown)
  return { given, error }
}

describe('the time of createTask', () => {
  it.each([
    [undefined, {}, 60_000],
    [undefined, { timeoutMs: undefined, retries: 2 }, 60_000],
    [100, { timeoutMs: undefined }, 130_000],
    [100, { timeoutMs: 5 }, 5],
    [270, {}, 300_000],
    [600, { timeoutMs: 200_000 }, 200_000],
  ])('of a task of %j s, with %j, is %j ms', async (timeout, options, timeoutMs) => {
    expect((await optionsOf(timeout, options)).given).toEqual({ ...options, timeoutMs })
  })

  it("is refused where Node's own fetch would end first", async () => {
    const { given, error } = await optionsOf(271, {})
    expect(given).toBeUndefined()
    expect(error).toMatchObject({
      code: 'INVALID_OPTIONS',
      hint: expect.stringContaining('runTask'),
    })
    const patient: Fetch = (url, init) => globalThis.fetch(url, init)
    expect((await optionsOf(271, {}, patient)).given).toEqual({ timeoutMs: 301_000 })
  })
})
