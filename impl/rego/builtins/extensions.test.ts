import { describe, expect, it } from 'vitest'
import { BuiltinError } from '../errors.ts'
import { budget } from '../values/limits.ts'
import type { Value } from '../values/value.ts'
import type { BuiltinContext } from './builtin.ts'
import { serviceExtensions } from './extensions.ts'
import { seededRandom } from './random.ts'

const ctx: BuiltinContext = {
  nowNs: 0n,
  random: seededRandom(() => new Uint8Array(32)),
  memo: new Map(),
  meter: budget({ units: 1e9, bytes: 1e9 }),
}

function call(suffix: string, ...args: Value[]): unknown {
  const found = serviceExtensions().find(({ name }) => name.endsWith(suffix))
  return found?.call(ctx, ...args)
}

const SIGNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const HELLO = '1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8'
const SIGNATURE =
  '73eebf81a611136662d65778960c853fdcaf6eca86793ed9cabc30f2195937af78a07e601627da5b4cc80c0ab35f6894da19b4a01759d90c101d9c9dd1c6745d1b'

describe('recovery of a signer', () => {
  it('returns the checksummed address, with or without 0x, for both forms of v', () => {
    const zero = `${SIGNATURE.slice(0, -2)}00`
    for (const signature of [SIGNATURE, `0x${SIGNATURE}`, zero]) {
      expect(call('signer', signature, HELLO)).toBe(SIGNER)
      expect(call('signer', signature, `0x${HELLO}`)).toBe(SIGNER)
    }
  })

  it('hashes a message as wallets do', async () => {
    const { privateKeyToAccount } = await import('viem/accounts')
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    for (const message of ['', 'hello', 'grüße 😀'.repeat(20)]) {
      const signature = await account.signMessage({ message })
      expect(call('personal', signature, message)).toBe(account.address)
    }
  })

  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const highS = (order - BigInt(`0x${SIGNATURE.slice(64, 128)}`)).toString(16).padStart(64, '0')

  it.each<[string, string, string]>([
    [SIGNATURE.slice(2), HELLO, 'signature must be 65 bytes, got 64'],
    ['', HELLO, 'signature must be 65 bytes, got 0'],
    [SIGNATURE, HELLO.slice(2), 'message_hash must be 32 bytes, got 31'],
    ['zz', HELLO, 'invalid hex'],
    ['0x123', HELLO, 'invalid hex'],
    [`${SIGNATURE.slice(0, -2)}1d`, HELLO, 'invalid recovery id'],
    [`${SIGNATURE.slice(0, -2)}02`, HELLO, 'invalid recovery id'],
    [`${'00'.repeat(64)}1b`, HELLO, 'failed to recover public key'],
    [`${SIGNATURE.slice(0, 64)}${highS}1c`, HELLO, 'failed to recover public key'],
  ])('rejects %s, %s with a fatal error', (signature, hash, message) => {
    try {
      call('signer', signature, hash)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(BuiltinError)
      expect((error as BuiltinError).message).toBe(message)
      expect((error as BuiltinError).fatal).toBe(true)
    }
  })

  it('rejects operands that are not strings with a fatal error, and accepts another prefix', () => {
    expect(() => call('signer', 1, HELLO)).toThrow(
      expect.objectContaining({ code: 'eval_type_error', fatal: true }),
    )
    expect(serviceExtensions('acme').map(({ name }) => name)).toEqual([
      'acme.crypto.ecdsa_recover_signer',
      'acme.crypto.ecdsa_recover_signer_personal',
      ...['get', 'check_approved', 'address_in_countries', 'age_gte', 'not_expired'].map(
        (name) => `acme.identity.${name}`,
      ),
      ...[
        'blacklist.contains',
        'blacklist.count',
        'allowlist.contains',
        'allowlist.count',
        'get',
      ].map((name) => `acme.confidential.${name}`),
    ])
  })
})
