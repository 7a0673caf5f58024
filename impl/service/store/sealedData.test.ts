import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import type { Store } from './openStore.ts'
import type { ConfidentialData, IdentityData } from './sealedData.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

const hex = (byte: string, size: number): `0x${string}` => `0x${byte.repeat(size)}`

const identity: IdentityData = {
  identityOwner: hex('Aa', 20),
  identityDomain: hex('Bb', 32),
  chainId: 11_155_111,
  envelope: '{ "enc" : "\\u00e9é\u2028😀",\r\n"x":1.0, "x":2 }',
}

const confidential: ConfidentialData = {
  provider: hex('Cc', 20),
  domain: hex('Dd', 32),
  dataType: 'météo',
  chainId: 1,
  envelope: identity.envelope,
}

describe.each(engines)('sealed data on the $name engine', ({ url }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url, { clock: () => 0 })
  })
  afterAll(() => store.close())

  it('is returned byte for byte, its hex in lower case', async () => {
    const { sealedData } = store
    const kept = { ...identity, identityOwner: hex('aa', 20), identityDomain: hex('bb', 32) }
    const first = { dataRefId: hex('E1', 32), keyId: 'key' }
    expect(await sealedData.keepIdentity(first, identity)).toEqual(kept)
    expect(await sealedData.identity(hex('e1', 32))).toEqual(kept)

    const provided = { ...confidential, provider: hex('cc', 20), domain: hex('dd', 32) }
    expect(await sealedData.keepConfidential(first, confidential)).toEqual(provided)
    expect(await sealedData.confidential(hex('E1', 32))).toEqual(provided)
  })

  it('stores identity and confidential data separately', async () => {
    const { sealedData } = store
    await sealedData.keepIdentity({ dataRefId: hex('e2', 32), keyId: 'key' }, identity)
    await sealedData.keepConfidential({ dataRefId: hex('e3', 32), keyId: 'key' }, confidential)
    expect(await sealedData.confidential(hex('e2', 32))).toBeUndefined()
    expect(await sealedData.identity(hex('e3', 32))).toBeUndefined()
  })

  it('is never overwritten', async () => {
    const { sealedData } = store
    const upload = { dataRefId: hex('e4', 32), keyId: 'key' }
    await sealedData.keepIdentity(upload, identity)
    await sealedData.keepConfidential(upload, confidential)
    const [otherIdentity, otherConfidential] = [
      await sealedData.keepIdentity(upload, { ...identity, identityOwner: hex('ff', 20) }),
      await sealedData.keepConfidential(upload, { ...confidential, dataType: 'other' }),
    ]
    expect(otherIdentity.identityOwner).toBe(hex('aa', 20))
    expect(otherConfidential.dataType).toBe('météo')
    expect((await sealedData.identity(upload.dataRefId))?.identityOwner).toBe(hex('aa', 20))
    expect((await sealedData.confidential(upload.dataRefId))?.dataType).toBe('météo')
  })

  it('is stored by the first of concurrent uploads, and all receive it', async () => {
    const upload = { dataRefId: hex('e5', 32), keyId: 'key' }
    const owners = ['01', '02', '03', '04', '05'].map((byte) => hex(byte, 20))
    const kept = await Promise.all(
      owners.map((identityOwner) =>
        store.sealedData.keepIdentity(upload, { ...identity, identityOwner }),
      ),
    )
    expect(new Set(kept.map(({ identityOwner }) => identityOwner)).size).toBe(1)
  })
})
