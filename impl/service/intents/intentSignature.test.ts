import fc from 'fast-check'
import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { intentTypedData } from 'polgate-lib/intents/intentTypedData.ts'
import {
  concatHex,
  encodeAbiParameters,
  type Hex,
  hashTypedData,
  keccak256,
  recoverAddress,
  stringToHex,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { parseIntent } from './intent.ts'
import { encodeIntentSignature, intentDigest } from './intentSignature.ts'

const signer = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)
const domain = {
  name: 'PolicyClient',
  version: '1',
  chainId: 31337n,
  verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
} as const
const wire = {
  from: signer.address,
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value: '0x1',
  data: '0x1234',
  chain_id: '0x7a69',
  function_signature: '0x66',
} as const
const intent = parseIntent(wire)

const signerOf = (of: typeof intent, by: IntentDomain, signature: Hex) =>
  recoverAddress({ hash: intentDigest(of, by), signature })

describe('encoding', () => {
  const hex = 'AB'.repeat(65)

  it.each([hex, `0x${hex}`])('accepts 65 bytes, with or without 0x', (sent) => {
    expect(encodeIntentSignature(sent)).toBe(`0x${'ab'.repeat(65)}`)
  })

  it.each([
    ['', 0],
    ['0x', 0],
    ['0xab', 1],
    [`0x${'ab'.repeat(64)}`, 64],
    ['ab'.repeat(66), 66],
  ])('rejects %s', (sent, size) => {
    expect(() => encodeIntentSignature(sent)).toThrow(
      `Failed to encode intent signature: expected exactly 65 bytes, got ${size}`,
    )
  })
})

describe('digest', () => {
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((value) => toHex(value))
  const text = fc.oneof(fc.constantFrom('', 'undefined', 'null', '","'), fc.string())
  const anyDomain = fc.record(
    {
      name: text,
      version: text,
      chainId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      verifyingContract: bytes(20),
      salt: bytes(32),
    },
    { requiredKeys: [] },
  )
  const anyIntent = fc.record({
    from: bytes(20),
    to: bytes(20),
    value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    data: fc.uint8Array({ maxLength: 300 }).map((value) => toHex(value)),
    chainId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    functionSignature: fc.uint8Array({ maxLength: 40 }).map((value) => toHex(value)),
  })

  it('is that of EIP-712 for any intent and domain', () => {
    fc.assert(
      fc.property(anyIntent, anyDomain, (any, given) => {
        expect(intentDigest(any, given)).toBe(hashTypedData(intentTypedData(any, given)))
      }),
    )
  })

  it('distinguishes domains that differ in one member only', () => {
    const domains = [{}, { name: 'undefined' }, { name: 'null' }, { version: 'null' }, { name: '' }]
    const digests = domains.map((each) => intentDigest(intent, each))
    expect(new Set(digests).size).toBe(domains.length)
  })
})

describe('signer', () => {
  it('is the signer of the typed data of section 4.2', async () => {
    const signature = await signer.signTypedData({
      domain,
      primaryType: 'Intent',
      types: {
        Intent: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'data', type: 'bytes' },
          { name: 'chainId', type: 'uint256' },
          { name: 'functionSignature', type: 'bytes' },
        ],
      },
      message: { ...intent },
    })
    expect(await signerOf(intent, domain, signature)).toBe(signer.address)
    expect(await signer.signTypedData(intentTypedData(intent, domain))).toBe(signature)
  })

  it('differs if any member of intent or domain differs', async () => {
    const signature = await signer.signTypedData(intentTypedData(intent, domain))
    const intents = [
      { from: wire.to },
      { to: wire.from },
      { value: '0x2' },
      { data: '0x1235' },
      { chain_id: '0x1' },
      { function_signature: '0x67' },
    ].map((other) => parseIntent({ ...wire, ...other } as typeof wire))
    const domains = [
      { name: 'Other' },
      { version: '2' },
      { chainId: 1n },
      { verifyingContract: wire.to },
    ].map((other) => ({ ...domain, ...other }))
    for (const other of intents)
      expect(await signerOf(other, domain, signature)).not.toBe(signer.address)
    for (const other of domains)
      expect(await signerOf(intent, other, signature)).not.toBe(signer.address)
    const digests = [
      ...intents.map((i) => intentDigest(i, domain)),
      ...domains.map((d) => intentDigest(intent, d)),
    ]
    expect(new Set(digests).size).toBe(10)
  })
})

describe('digest', () => {
  const word = (type: 'bytes32' | 'uint256' | 'address', value: unknown) =>
    encodeAbiParameters([{ type }], [value as never])
  const intentStruct = keccak256(
    concatHex([
      keccak256(
        stringToHex(
          'Intent(address from,address to,uint256 value,bytes data,uint256 chainId,bytes functionSignature)',
        ),
      ),
      word('address', intent.from),
      word('address', intent.to),
      word('uint256', intent.value),
      keccak256(intent.data),
      word('uint256', intent.chainId),
      keccak256(intent.functionSignature),
    ]),
  )
  const hashed = {
    name: ['string name', keccak256(stringToHex('Vault'))],
    version: ['string version', keccak256('0x')],
    chainId: ['uint256 chainId', word('uint256', 2n ** 60n)],
    verifyingContract: ['address verifyingContract', word('address', domain.verifyingContract)],
    salt: ['bytes32 salt', `0x${'5a'.repeat(32)}`],
  } as const
  const members = {
    name: 'Vault',
    version: '',
    chainId: 2n ** 60n,
    verifyingContract: domain.verifyingContract,
    salt: `0x${'5a'.repeat(32)}`,
  } as const
  type Member = keyof typeof members
  const all = Object.keys(members) as Member[]
  const subsets = Array.from({ length: 32 }, (_, bits) => all.filter((_, at) => bits & (1 << at)))

  it.each(subsets.map((present) => ({ present })))(
    'hashes exactly the members of the domain: $present',
    ({ present }) => {
      const separator = keccak256(
        concatHex([
          keccak256(
            stringToHex(`EIP712Domain(${present.map((name) => hashed[name][0]).join(',')})`),
          ),
          ...present.map((name) => hashed[name][1]),
        ]),
      )
      const given = Object.fromEntries(present.map((name) => [name, members[name]]))
      expect(intentDigest(intent, given)).toBe(
        keccak256(concatHex(['0x1901', separator, intentStruct])),
      )
    },
  )
})
