import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import type { Store } from './openStore.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

describe.each(engines)('secrets on the $name engine', ({ url }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url)
  })
  afterAll(() => store.close())

  const scope = {
    policyClient: `0x${'Aa'.repeat(20)}`,
    policyDataAddress: `0x${'Bb'.repeat(20)}`,
  } as const

  it('are returned byte for byte, in any letter case of the addresses', async () => {
    const envelope = '{ "enc" : "é",\n"x":1.0 }'
    await store.secrets.put(scope, envelope)
    expect(
      await store.secrets.get({
        policyClient: `0x${'aA'.repeat(20)}`,
        policyDataAddress: `0x${'bB'.repeat(20)}`,
      }),
    ).toBe(envelope)
  })

  it('are replaced by a later upload', async () => {
    await store.secrets.put(scope, 'first')
    await store.secrets.put(scope, 'second')
    expect(await store.secrets.get(scope)).toBe('second')
  })

  it('are scoped to the client and the PolicyData contract', async () => {
    const other = `0x${'cc'.repeat(20)}` as const
    await store.secrets.put(scope, 'mine')
    expect(await store.secrets.get({ ...scope, policyClient: other })).toBeUndefined()
    expect(await store.secrets.get({ ...scope, policyDataAddress: other })).toBeUndefined()
  })
})
