import { devAccount } from 'polgate-chain/accounts.ts'
import { type RunningAnvil, startAnvil } from 'polgate-chain/anvil.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import { encryptedIdentityData, identityDomainOf } from 'polgate-chain/identityRegistry.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { type Hex, hashTypedData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSignedByOwner } from './ownerSignature.ts'
import { sealedDataChain } from './sealedDataChain.ts'

const identityRegistry: Address = `0x${'Ab'.repeat(20)}`
const chainId = 31_337
const envelope = '{"any":"text"}'
const owner = devAccount(1)
const typedData = {
  domain: identityDomainOf(chainId, identityRegistry.toLowerCase() as Address),
  ...encryptedIdentityData,
  message: { data: envelope },
}

/** A contract whose `isValidSignature` accepts only the digest itself as a signature. */
const takesDigest: Hex = ('0x6018600c60003960186000f36064356004351463' +
  '1626ba7e60e01b0260005260206000f3') as Hex
/** A contract that always reverts. */
const reverts: Hex = '0x6005600c60003960056000f360006000fd'

let anvil: RunningAnvil
const chainAt = (rpcUrl: string, registry: Address | undefined = identityRegistry) =>
  sealedDataChain({
    client: createChainClient({ rpcUrl }),
    chainId,
    ...(registry && { identityRegistry: registry }),
  })

beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

const lower = (address: string) => address.toLowerCase() as Address
async function deploy(initCode: Hex) {
  const transactor = await createTransactor({ rpcUrl: anvil.url, account: devAccount(0) })
  return lower((await transactor.create(initCode)).address)
}

describe('the signature of an identity owner', () => {
  it('is verified against its key without a chain read', async () => {
    const signature = await owner.signTypedData(typedData)
    const silent = chainAt('http://127.0.0.1:1')
    const claim = { owner: lower(owner.address), signature, envelope }
    expect(await isSignedByOwner(silent, claim)).toBe(true)
    const v: Hex = `${signature.slice(0, -2) as Hex}${signature.endsWith('1b') ? '00' : '01'}`
    expect(await isSignedByOwner(silent, { ...claim, signature: v })).toBe(true)
  })

  it('covers the exact envelope', async () => {
    const signature = await owner.signTypedData(typedData)
    const claim = { owner: lower(owner.address), signature, envelope: `${envelope}\n` }
    expect(await isSignedByOwner(chainAt(anvil.url), claim)).toBe(false)
  })

  it('is accepted if the contract of the owner accepts it', async () => {
    const contract = await deploy(takesDigest)
    const chain = chainAt(anvil.url)
    const signature = hashTypedData(typedData)
    expect(await isSignedByOwner(chain, { owner: contract, signature, envelope })).toBe(true)
    const other: Hex = `0x${'00'.repeat(32)}`
    expect(await isSignedByOwner(chain, { owner: contract, signature: other, envelope })).toBe(
      false,
    )
    const ofKey = await owner.signTypedData(typedData)
    expect(await isSignedByOwner(chain, { owner: contract, signature: ofKey, envelope })).toBe(
      false,
    )
  })

  it('is rejected if the contract reverts or the account has no code', async () => {
    const chain = chainAt(anvil.url)
    for (const account of [await deploy(reverts), lower(devAccount(5).address)]) {
      for (const signature of ['0x', '0x00', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`]) {
        const claim = { owner: account, signature: signature as Hex, envelope }
        expect(await isSignedByOwner(chain, claim)).toBe(false)
      }
    }
  })

  it('fails with an error if the chain is needed and unavailable', async () => {
    const claim = { owner: lower(owner.address), signature: '0x00' as Hex, envelope }
    await expect(isSignedByOwner(chainAt('http://127.0.0.1:1'), claim)).rejects.toMatchObject({
      name: 'ChainReadError',
      code: 'unreachable',
    })
  })
})
