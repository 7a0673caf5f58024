import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { property } from 'polgate-lib/testing/property.ts'
import { encodeFunctionData, parseAbi, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { parseIntent } from './intent.ts'
import { parsedIntent, policyInput, policyInputJson } from './policyInput.ts'

const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const transfer = encodeFunctionData({
  abi: parseAbi(['function transfer(address to, uint256 amount)']),
  args: [to, 10n ** 30n],
})

const intent = (members: object = {}) =>
  parseIntent({
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    to,
    value: '0x0',
    data: '0x',
    chain_id: '0x7a69',
    function_signature: '0x',
    ...members,
  })

const undecoded = {
  function: null,
  decoded_function_signature: null,
  decoded_function_arguments: null,
}

describe('policy input', () => {
  it.each([
    'transfer(address,uint256)',
    'function transfer(address,uint256)',
    'transfer(address to, uint256 amount)',
    'function transfer(address to, uint amount) external returns (bool)',
  ])('contains the call decoded by %s', (text) => {
    const input = policyInput(intent({ data: transfer, function_signature: toHex(text) }))
    expect(input).toEqual({
      from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      to,
      value: 0n,
      data: transfer,
      chain_id: 31337n,
      function_signature: toHex(text),
      function: { name: 'transfer', arguments: [to, '1000000000000000000000000000000'] },
      decoded_function_signature: 'transfer(address,uint256)',
      decoded_function_arguments: [to, '1000000000000000000000000000000'],
    })
  })

  it('contains nulls for a native transfer', () => {
    expect(policyInput(intent())).toMatchObject(undecoded)
  })

  it.each([
    ['another function', 'approve(address,uint256)', transfer],
    ['another number of arguments', 'transfer(address)', transfer],
    ['a selector instead of the text', '\xa9\x05\x9c\xbb', transfer],
    ['no signature', '', transfer],
    ['invalid text', 'transfer', transfer],
    ['no calldata', 'transfer(address,uint256)', '0x'],
    ['three bytes of calldata', 'transfer(address,uint256)', transfer.slice(0, 8)],
    ['only the selector', 'transfer(address,uint256)', transfer.slice(0, 10)],
    ['truncated calldata', 'transfer(address,uint256)', transfer.slice(0, -2)],
  ])('contains nulls for %s', (_, text, data) => {
    const function_signature = `0x${Buffer.from(text, 'latin1').toString('hex')}`
    expect(policyInput(intent({ data, function_signature }))).toMatchObject(undecoded)
  })

  it('contains a call without arguments', () => {
    const data = encodeFunctionData({ abi: parseAbi(['function pause()']) })
    expect(policyInput(intent({ data, function_signature: toHex('pause()') }))).toMatchObject({
      function: { name: 'pause', arguments: [] },
    })
  })

  it('contains the signature of the intent only if one was sent', () => {
    expect(policyInput(intent())).not.toHaveProperty('intent_signature')
    expect(policyInput(intent(), { signature: '0xab' })).toMatchObject({ intent_signature: '0xab' })
    expect(parsedIntent(intent())).toEqual(policyInput(intent()))
  })

  it('contains the digest of the intent only if there is a domain, also in the parsed intent', () => {
    expect(policyInputJson(intent(), { digest: undefined })).not.toContain('intent_digest')
    expect(policyInput(intent(), { digest: '0xcd' })).toMatchObject({ intent_digest: '0xcd' })
    expect(parsedIntent(intent(), '0xcd')).toEqual(policyInput(intent(), { digest: '0xcd' }))
  })

  it('is JSON with every digit of its numbers', () => {
    const text = policyInputJson(
      intent({ value: `0x${'f'.repeat(64)}`, chain_id: '9007199254740993' }),
    )
    expect(text).toContain(`"value":${2n ** 256n - 1n},`)
    expect(text).toContain('"chain_id":9007199254740993,')
    expect(JSON.parse(text)).toHaveProperty('function', null)
  })
})

const bytes = fc.uint8Array({ maxLength: 300 }).map((b) => toHex(b))
const text = fc.string({ unit: character, maxLength: 100 }).map((s) => toHex(s))

property([bytes, fc.oneof(bytes, text)], { numRuns: 500 })(
  'any calldata and any signature produce an input',
  (data, function_signature) => {
    expect(policyInput(intent({ data, function_signature }))).toMatchObject(undecoded)
  },
)
