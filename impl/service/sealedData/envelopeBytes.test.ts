import fc from 'fast-check'
import {
  owner,
  type SealedDataStack,
  startSealedDataStack,
} from 'polgate-local/testing/sealedDataStack.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { keccak256, toBytes } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'

let stack: SealedDataStack
beforeAll(async () => {
  stack = await startSealedDataStack()
})
afterAll(() => stack.close())

/** Escapes every non-ASCII character, like some senders. */
const escaped = (json: string) =>
  json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)
const bytes = (size: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: size, maxLength: size }), fc.boolean())
    .map(([array, upper]) => {
      const hex = Buffer.from(array).toString('hex')
      return JSON.stringify(upper ? hex.toUpperCase() : hex)
    })
const extra = fc.tuple(
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((name) => `x${name}`),
  fc.json({ stringUnit: 'grapheme', maxDepth: 2 }),
)

/** Envelopes in any order, with white space, unknown and duplicate members, escaped or not. */
const envelopes = fc
  .record({
    enc: bytes(32),
    ciphertext: bytes(48),
    recipient_pubkey: fc.constantFrom('"lower"', '"UPPER"'),
    extras: fc.array(extra, { maxLength: 4 }),
    escaping: fc.boolean(),
    spaces: fc.array(space, { minLength: 12, maxLength: 12 }),
  })
  .chain(({ extras, escaping, spaces, ...keys }) =>
    fc
      .shuffledSubarray(
        [
          ...Object.entries(keys),
          ['policy_client', JSON.stringify(owner.address)] as const,
          ['chain_id', '31337'] as const,
          ...extras,
          ...extras.slice(0, 1),
        ],
        { minLength: 5 + extras.length + extras.slice(0, 1).length },
      )
      .map((members) => {
        const written = members.map(([name, value], at) => {
          const key = escaping ? escaped(JSON.stringify(name)) : JSON.stringify(name)
          return `${spaces[at]}${key}:${spaces[at]}${value}`
        })
        return `${spaces[10]}{${written.join(',')}${spaces[11]}}`
      }),
  )

async function post(method: string, params: unknown, body: (json: string) => string) {
  const { gatewayUrl, apiKeys } = stack.description
  const response = await fetch(`${gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKeys.rpc}` },
    body: body(
      JSON.stringify({
        jsonrpc: '2.0',
        id: '1',
        method: defaultBrand.methodPrefix + method,
        params,
      }),
    ),
  })
  const { result, error } = (await response.json()) as { result?: never; error?: unknown }
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return result as unknown as Record<string, unknown>
}

it('the bytes of an envelope are preserved in any encoding of the request', {
  timeout: 180_000,
}, async () => {
  const { public_key: privacyKey } = (await stack.client.call('getPrivacyPublicKey', {})).result!
  await fc.assert(
    fc.asyncProperty(envelopes, fc.boolean(), async (written, escaping) => {
      const envelope = written
        .replace('"lower"', JSON.stringify(privacyKey))
        .replace('"UPPER"', JSON.stringify(privacyKey.toUpperCase()))
      const params = await stack.identityParams(envelope)
      const body = escaping ? escaped : (json: string) => json
      const { data_ref_id } = await post('uploadIdentityEncrypted', params, body)
      expect(data_ref_id).toBe(keccak256(toBytes(envelope)))
      const back = await post('getIdentityEncrypted', { data_ref_id }, body)
      expect(back.envelope).toBe(envelope)
    }),
    { numRuns: 60 },
  )
})
