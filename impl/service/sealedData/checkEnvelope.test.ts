import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { describe, expect, it } from 'vitest'
import { checkEnvelope } from './checkEnvelope.ts'

const members = {
  enc: 'ab'.repeat(32),
  ciphertext: 'cd'.repeat(20),
  policy_client: `0x${'12'.repeat(20)}`,
  chain_id: 7,
  recipient_pubkey: 'ef'.repeat(32),
}

const recipients = [members.recipient_pubkey, '12'.repeat(32)]
const check = (envelope: string, chainId = 7) =>
  checkEnvelope({ envelope, use: 'identity', chainId, ownChainId: 7, recipients })

function refusal(envelope: string, chainId?: number) {
  try {
    check(envelope, chainId)
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ code: -32602 })
    return (error as ServiceError).message.replace('Invalid request format: ', '')
  }
  return 'accepted'
}

const changed = (change: Record<string, unknown>) => JSON.stringify({ ...members, ...change })

describe('a stored envelope', () => {
  it.each([
    ['in another order', JSON.stringify(Object.fromEntries(Object.entries(members).reverse()))],
    ['with white space', `\r\n${JSON.stringify(members, null, 2)}\t`],
    ['with unknown members', changed({ note: 'é \u2028 😀' })],
    ['with escapes', JSON.stringify(members).replace('"enc"', '"\\u0065nc"')],
    ['with a duplicate member', JSON.stringify(members).replace('{', '{"chain_id":9,')],
    ['with an escaped lone surrogate', changed({ note: '' }).replace('""', '"\\ud800"')],
  ])('may be %s', (_, envelope) => {
    expect(check(envelope)).toMatchObject(members)
  })

  it('may be sealed to any accepted key, in any case', () => {
    for (const recipient_pubkey of [...recipients, 'EF'.repeat(32)])
      expect(refusal(changed({ recipient_pubkey }))).toBe('accepted')
  })

  it.each([
    ['not JSON', '{', 'envelope is not JSON'],
    ['an array', '[]', 'envelope is not an object'],
    ['null', 'null', 'envelope is not an object'],
    ['behind a byte order mark', `\ufeff${changed({})}`, 'envelope is not JSON'],
    [
      'with a lone surrogate',
      changed({}).replace('{', '{"\ud800":1,'),
      'is not well-formed Unicode',
    ],
    ['with a null character', changed({}).replace('{', '{"\u0000":1,'), 'envelope is not JSON'],
    ['without enc', changed({ enc: undefined }), 'envelope.enc'],
    ['with 0x', changed({ enc: `0x${members.enc}` }), 'envelope.enc'],
    ['with a short key', changed({ recipient_pubkey: 'ef' }), 'envelope.recipient_pubkey'],
    ['with half a byte', changed({ ciphertext: 'abc' }), 'envelope.ciphertext'],
    [
      'sealed to another key',
      changed({ recipient_pubkey: '34'.repeat(32) }),
      'envelope.recipient_pubkey is not the privacy key',
    ],
    ['without a client', changed({ policy_client: 'me' }), 'envelope.policy_client'],
    ['with a chain as text', changed({ chain_id: '7' }), 'envelope.chain_id'],
    [
      'of another chain',
      changed({ chain_id: 8 }),
      'envelope.chain_id must be 7, the chain of this',
    ],
    ['too large', changed({ note: 'é'.repeat(128 * 1024) }), 'larger than 262144 bytes'],
  ])('is rejected if it is %s', (_, envelope, reason) => {
    expect(refusal(envelope)).toContain(reason)
  })

  it('is rejected if the request contains another chain', () => {
    expect(refusal(changed({}), 8)).toBe('chain_id must be 7, the chain of this gateway')
  })
})
