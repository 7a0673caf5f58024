import type { Address } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import type { Store } from './openStore.ts'
import type { UploadRight } from './secrets.ts'
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

  describe('of owners (decision K19)', () => {
    beforeEach(() => store.database.execute('truncate secrets'))

    const [first, second] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
    const chainId = 31_337
    const put = (owner: Address, block: number, more: Partial<UploadRight> = {}) =>
      store.secrets.put(scope, `of ${owner}`, { owner, block, chainId, ...more })
    const kept = () => store.secrets.get(scope)

    it('are not replaced by those of another owner as of an earlier block', async () => {
      expect(await put(second, 12)).toBe('stored')
      expect(await put(first, 11)).toBe('superseded')
      expect(await kept()).toBe(`of ${second}`)
      expect(await put(first, 13)).toBe('stored')
      expect(await kept()).toBe(`of ${first}`)
    })

    it('are replaced by the same owner in the order of arrival, which forgets no later block', async () => {
      await put(second, 12)
      expect(await put(second, 7)).toBe('stored')
      expect(await put(first, 11)).toBe('superseded')
    })

    it('are replaced where their block is not known, or is of another chain', async () => {
      await store.secrets.put(scope, 'seeded')
      expect(await put(first, 1)).toBe('stored')
      await put(second, 12)
      expect(await put(first, 1, { chainId: 1 })).toBe('stored')
    })

    it('are replaced again when the chain went back', async () => {
      await put(second, 18)
      await store.secrets.chainWentBack(chainId + 1, 10)
      expect(await put(first, 11)).toBe('superseded')
      await store.secrets.chainWentBack(chainId, 10)
      expect(await put(first, 9)).toBe('superseded')
      expect(await put(first, 11)).toBe('stored')
    })

    it('are stored only while the key of the upload is valid', async () => {
      const { record } = await store.apiKeys.create({ name: 'owner', permissions: ['rpc'] })
      const by = (rotatedAt: Date | null) => put(first, 1, { key: { keyId: record.id, rotatedAt } })
      expect(await by(null)).toBe('stored')
      const { record: rotated } = await store.apiKeys.rotate(record.id)
      expect(await by(null)).toBe('key-changed')
      expect(await by(rotated.rotatedAt)).toBe('stored')
      await store.apiKeys.delete(record.id)
      expect(await by(rotated.rotatedAt)).toBe('key-changed')
    })
  })
})
