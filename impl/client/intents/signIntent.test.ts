import { createClient, custom, encodeAbiParameters, getAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../hex.ts'
import { createIntent } from './createIntent.ts'
import { hashIntent } from './signIntent.ts'

const policyClient = getAddress(`0x${'ab'.repeat(20)}`)
const other: Hex = `0x${'cd'.repeat(20)}`
const client = { chain: { id: 5 } }
const intent = createIntent({ from: other, to: other, chainId: 5 })

/** A chain on which every contract states this domain. */
const stating = (fields: Hex, chainId: bigint, verifyingContract: Hex) =>
  createClient({
    transport: custom({
      request: async () =>
        encodeAbiParameters(
          ['bytes1', 'string', 'string', 'uint256', 'address', 'bytes32', 'uint256[]'].map(
            (type) => ({ type }),
          ),
          [fields, 'n', '1', chainId, verifyingContract, zeroHash, []],
        ),
    }),
  })

const lower = policyClient.toLowerCase() as Hex

describe('the domain of an intent', () => {
  it('is that which the policy client states', async () => {
    const domain = { name: 'n', version: '1' }
    const expected = await hashIntent(client, { intent, policyClient: lower, domain })
    const publicClient = stating('0x0f', 5n, lower)
    expect(await hashIntent(client, { intent, policyClient, publicClient })).toBe(expected)
    const unbound = stating('0x03', 1n, other)
    expect(await hashIntent(client, { intent, policyClient, publicClient: unbound })).toMatch(/^0x/)
  })

  it.each([
    ['verifyingContract', stating('0x0f', 5n, other)],
    ['chainId', stating('0x0f', 6n, lower)],
  ])('is refused if its %s is another', async (member, publicClient) => {
    const hashing = hashIntent(client, { intent, policyClient, publicClient })
    await expect(hashing).rejects.toMatchObject({
      code: 'DOMAIN_UNKNOWN',
      details: expect.stringContaining(`the stated ${member} is`),
    })
  })

  it('is the given one, also of another contract, and undefined members are the default', async () => {
    const signing = { intent, policyClient: lower }
    const domain = { name: 'n', version: '1' }
    const hash = await hashIntent(client, { ...signing, domain })
    const given = { ...domain, verifyingContract: other, chainId: 6n }
    expect(await hashIntent(client, { ...signing, domain: given })).not.toBe(hash)
    const empty = { ...domain, verifyingContract: undefined, chainId: undefined } as object
    expect(await hashIntent(client, { ...signing, domain: empty })).toBe(hash)
  })
})
