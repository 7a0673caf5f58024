import { encryptionKeyOf } from 'polgate-service/envelopes/encryptionKey.ts'
import { openEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { createWalletClient, custom } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createServiceClient } from '../client/createServiceClient.ts'
import { ContractError } from '../errors/chainErrors.ts'
import { registryHints } from '../errors/registryHints.ts'
import { contractErrorsAbi } from '../generated/contractAbis.ts'
import { grantConfidentialData } from './confidentialGrants.ts'
import { setConfidentialSource } from './confidentialSources.ts'
import { linkIdentity } from './linkIdentity.ts'
import { revokeIdentityLinks } from './revokeIdentityLinks.ts'

const key = await encryptionKeyOf(new Uint8Array(32).fill(7))
const policyClient = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const domain = `0x${'ab'.repeat(32)}` as const
const secret = 'Lovelace'

/** A gateway that knows its privacy key, and stores whatever it is given under another reference. */
const client = createServiceClient({
  url: 'https://gateway.example',
  key: 'k',
  chain: { id: 31_337 },
  fetch: async (_, { body }) => {
    const { id, method } = JSON.parse(String(body))
    const result = method.endsWith('PublicKey')
      ? { public_key: key.publicKey }
      : { success: true, data_ref_id: `0x${'00'.repeat(32)}` }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }))
  },
})

/** A wallet on a chain that must not be asked. */
const walletClient = createWalletClient({
  account: privateKeyToAccount(`0x${'07'.repeat(32)}`),
  transport: custom({ request: () => Promise.reject(new Error('the chain was asked')) }),
})

describe('errors of the registries', () => {
  it('say what to do, and every hint is for an error that a contract has', () => {
    const names = contractErrorsAbi.map(({ name }) => name)
    for (const [errorName, hint] of Object.entries(registryHints)) {
      expect(names).toContain(errorName)
      expect(new ContractError({ errorName }).hint).toBe(hint)
    }
    expect(new ContractError().hint).toContain('Check the addresses')
  })
})

describe('sealEphemeral', () => {
  const wasmOf = (hex: string) => JSON.parse(Buffer.from(hex.slice(2), 'hex').toString())

  it('adds envelopes for the policy client to the arguments of the oracles', async () => {
    const data = { bid: { amount: 7, name: secret }, note: {} }
    const sealed = await client.sealEphemeral({ policyClient, data, wasmArgs: { symbol: 'ETH' } })
    expect(Buffer.from(sealed.slice(2), 'hex').toString()).not.toContain(secret)
    const { _privacy, ...others } = wasmOf(sealed)
    expect(others).toEqual({ symbol: 'ETH' })
    expect(Object.keys(_privacy)).toEqual(['bid', 'note'])
    const opened = await openEnvelope({
      ...{ envelope: _privacy.bid, key, policyClient, chainId: 31_337 },
    })
    expect(JSON.parse(Buffer.from(opened).toString())).toEqual(data.bid)
  })

  it.each([
    ['nothing', { data: {} }],
    ['nine objects', { data: Object.fromEntries([...'abcdefghi'].map((name) => [name, {}])) }],
    ['a text', { data: { bid: secret } }],
    ['an array', { data: { bid: [secret] } }],
    ['a name that Rego cannot read', { data: { 'a-b': { secret } } }],
    ['the reserved member', { data: { bid: { secret } }, wasmArgs: { _privacy: {} } }],
    ['more than wasm_args take', { data: { bid: { secret, text: 'x'.repeat(33_000) } } }],
    ['no address', { data: { bid: { secret } }, policyClient: '0x12' }],
  ])('refuses %s, without the data', async (_, wrong) => {
    const error = await client
      .sealEphemeral({ policyClient, ...wrong } as never)
      .catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ code: 'INVALID_OPTIONS' })
    expect(String(error)).not.toContain(secret)
  })
})

describe('what cannot be used is refused before it is sealed or sent', () => {
  const confidentialDataRegistry = policyClient
  const identityRegistry = policyClient
  const bytes = (text: string) => new TextEncoder().encode(text)
  const publish = (plaintext: Uint8Array, more: object = {}) =>
    client.publishConfidentialData({
      ...{ walletClient, confidentialDataRegistry, domain, plaintext, ...more },
    })
  const register = (plaintext: Uint8Array, more: object = {}) =>
    client.registerIdentity({
      ...{ walletClient, identityRegistry, identityDomain: domain, plaintext, ...more },
    })
  const parties = { identityRegistry, policyClient, clientUser: policyClient } as const
  const link = { ...parties, identityOwner: policyClient, walletClient } as const

  it.each([
    ['data that is not JSON', () => publish(bytes(`{"a": ${secret}`))],
    ['data that is an array', () => publish(bytes('[]'))],
    ['data that is not UTF-8', () => publish(Uint8Array.of(0x7b, 0xff, 0x7d))],
    ['data above 1 MiB', () => publish(bytes(`{"a": "${'x'.repeat(1024 * 1024)}"}`))],
    ['a domain that is not 32 bytes', () => publish(bytes('{}'), { domain: '0x12' })],
    ['an identity that is not JSON', () => register(bytes(secret))],
    ['an identity above 64 KiB', () => register(bytes(`{"a": "${'x'.repeat(64 * 1024)}"}`))],
    ['an identity domain', () => register(bytes('{}'), { identityDomain: 'kyc' })],
    ['no domains', () => linkIdentity({ ...link, identityDomains: [] })],
    ['51 domains', () => revokeIdentityLinks({ ...link, identityDomains: Array(51).fill(domain) })],
    ['one wrong domain', () => linkIdentity({ ...link, identityDomains: [domain, '0x' as const] })],
    [
      'a user that is no address',
      () => linkIdentity({ ...link, clientUser: '0x1', identityDomains: [domain] }),
    ],
    [
      'a client that is no address',
      async () =>
        grantConfidentialData({
          ...{ walletClient, confidentialDataRegistry, domain, policyClient: '0x1' },
        }),
    ],
    [
      'a type of 65 bytes',
      async () =>
        setConfidentialSource({
          ...{ walletClient, confidentialDataRegistry, policyClient, domain },
          ...{ provider: policyClient, dataType: 'ä'.repeat(33) },
        }),
    ],
  ])('%s', async (_, act) => {
    const error = await act().catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ code: 'INVALID_OPTIONS' })
    expect(String(error)).not.toContain(secret)
  })

  it('a gateway that names other data: nothing is published', async () => {
    await expect(publish(bytes('{}'))).rejects.toMatchObject({
      code: 'RESPONSE_MALFORMED',
      message: expect.stringContaining('not the hash of the envelope'),
    })
  })
})
