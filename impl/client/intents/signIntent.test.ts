import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { decodeIntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { intentDigest } from 'polgate-service/intents/intentSignature.ts'
import {
  createClient,
  createWalletClient,
  custom,
  encodeAbiParameters,
  getAddress,
  recoverAddress,
  toHex,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../hex.ts'
import { eip712Hash, type StatedDomain } from '../testing/eip712Hash.ts'
import { createIntent } from './createIntent.ts'
import { hashIntent, signIntent } from './signIntent.ts'

const policyClient = getAddress(`0x${'ab'.repeat(20)}`)
const other: Hex = `0x${'cd'.repeat(20)}`
const client = { chain: { id: 5 } }
const intent = createIntent({ from: other, to: other, chainId: 5 })

/** The result of `eip712Domain()`; both texts are bytes, which a contract may choose freely. */
const encodeDomain = (stated: StatedDomain): Hex =>
  encodeAbiParameters(
    ['bytes1', 'bytes', 'bytes', 'uint256', 'address', 'bytes32', 'uint256[]'].map((type) => ({
      type,
    })),
    [
      toHex(stated.fields, { size: 1 }),
      toHex(stated.name),
      toHex(stated.version),
      stated.chainId,
      stated.verifyingContract,
      stated.salt,
      [],
    ],
  )

/** A chain on which every contract gives this result. */
const answering = (result: Hex) =>
  createClient({ transport: custom({ request: async () => result }) })

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A chain on which every contract states this domain. */
const stating = (fields: number, chainId: bigint, verifyingContract: Hex) =>
  answering(
    encodeDomain({
      ...{ fields, chainId, verifyingContract, salt: zeroHash },
      ...{ name: bytesOf('n'), version: bytesOf('1') },
    }),
  )

const lower = policyClient.toLowerCase() as Hex

describe('the domain of an intent', () => {
  it('is that which the policy client states', async () => {
    const domain = { name: 'n', version: '1' }
    const expected = await hashIntent(client, { intent, policyClient: lower, domain })
    const publicClient = stating(0x0f, 5n, lower)
    expect(await hashIntent(client, { intent, policyClient, publicClient })).toBe(expected)
    const unbound = stating(0x03, 1n, other)
    expect(await hashIntent(client, { intent, policyClient, publicClient: unbound })).toMatch(/^0x/)
  })

  it.each([
    ['verifyingContract', stating(0x0f, 5n, other)],
    ['chainId', stating(0x0f, 6n, lower)],
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

describe('what is signed', () => {
  const mark = [0xef, 0xbb, 0xbf]
  const text = fc.oneof(
    fc.constantFrom<readonly number[]>(
      [],
      mark,
      [...mark, 0x61],
      [0x61, ...mark],
      [0],
      [0xff],
      [0xc3],
    ),
    fc.array(fc.nat(255), { maxLength: 40 }),
    fc.string({ unit: 'binary' }).map((value) => [...bytesOf(value)]),
  )
  const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((value) => toHex(value))
  const anyDomain = fc.record({
    fields: fc.nat(31),
    name: text.map((value) => Uint8Array.from(value)),
    version: text.map((value) => Uint8Array.from(value)),
    chainId: word,
    salt: bytes(32),
  })
  const anyIntent = fc.record({
    from: bytes(20),
    to: bytes(20),
    value: word,
    data: fc.uint8Array({ maxLength: 100 }),
    functionSignature: fc.uint8Array({ maxLength: 40 }),
  })
  it('is the EIP-712 hash of what the client states, for account, wallet and service', async () => {
    const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
    let refused = 0
    await fc.assert(
      fc.asyncProperty(
        anyDomain,
        anyIntent,
        async (generated, { data, functionSignature, ...rest }) => {
          const stated = { ...generated, verifyingContract: policyClient }
          const encoded = encodeDomain(stated)
          const parsed = {
            ...rest,
            chainId: stated.chainId,
            data: toHex(data),
            functionSignature: toHex(functionSignature),
          }
          const signing = {
            intent: {
              ...rest,
              value: toHex(parsed.value),
              data: parsed.data,
              chain_id: toHex(parsed.chainId),
              function_signature: parsed.functionSignature,
            },
            ...{ policyClient, publicClient: answering(encoded) },
          }
          const domain = decodeIntentDomain(encoded)
          const texts = [stated.fields & 1 && stated.name, stated.fields & 2 && stated.version]
          if (texts.some((value) => value !== 0 && !isUtf8(value))) {
            refused++
            expect(domain).toBeUndefined()
            await expect(hashIntent(client, signing)).rejects.toMatchObject({
              code: 'DOMAIN_UNKNOWN',
            })
            return
          }
          const hash = eip712Hash(stated, { ...parsed, data, functionSignature })
          expect(await hashIntent(client, signing)).toBe(hash)
          expect(intentDigest(parsed, domain!)).toBe(hash)
          const signature = await signIntent(client, { ...signing, account })
          expect(await recoverAddress({ hash, signature })).toBe(account.address)
          // A wallet gets the data as JSON, and hashes it by itself.
          const wallet = createWalletClient({
            account: account.address,
            transport: custom({
              request: async ({ params }) => account.signTypedData(JSON.parse(params[1])),
            }),
          })
          expect(await signIntent(client, { ...signing, account: wallet })).toBe(signature)
        },
      ),
    )
    expect(refused).toBeGreaterThan(0)
  })
})
