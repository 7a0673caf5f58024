import { expect, test } from 'vitest'
import type { ServiceTarget } from '../stack/serviceTarget.ts'
import { intentOf } from './intentOptions.ts'

const sender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const target = {
  accounts: { sender: { address: sender }, recipient: { address: recipient } },
  chain: { chainId: 31337, rpcUrl: 'http://127.0.0.1:1', taskManager: recipient },
} as unknown as ServiceTarget

/** As `intent.json` of a package has it: every member in a form that no option would write. */
const base = {
  ...{ from: recipient.toLowerCase(), to: sender.toLowerCase(), value: '0x05', data: '0xAB' },
  ...{ chain_id: '0x07a69', function_signature: '0x66756e6374696f6e2066282920' },
}

test('the intent of a package stays as it is written', () => {
  expect(intentOf(target, {}, base)).toEqual(base)
})

test.each([
  [{ to: 'recipient' }, { to: recipient }],
  [{ from: 'sender' }, { from: sender }],
  [{ value: '6' }, { value: '0x6' }],
  [{ data: '0xcd' }, { data: '0xcd' }],
  [
    { functionSignature: 'function  f( )' },
    { function_signature: '0x66756e6374696f6e202066282029' },
  ],
  [{ call: ['f()'] }, { data: '0x26121ff0', function_signature: '0x662829' }],
  [
    { call: ['f()'], functionSignature: 'g' },
    { data: '0x26121ff0', function_signature: '0x67' },
  ],
])('%j changes these members alone', (options, changed) => {
  expect(intentOf(target, options, base)).toEqual({ ...base, ...changed })
})

test('without a package, the sender of the target and no call are the defaults', () => {
  expect(intentOf(target, { to: 'recipient' })).toEqual({
    ...{ from: sender, to: recipient, value: '0x0', data: '0x', chain_id: '0x7a69' },
    function_signature: '0x',
  })
  expect(() => intentOf(target, {})).toThrow('the intent has no recipient')
})

test('an intent for another chain is refused', () => {
  expect(() => intentOf(target, {}, { ...base, chain_id: '0x1' })).toThrow(
    'the intent of the package is for chain 1, the target is on chain 31337',
  )
  expect(intentOf(target, { chainId: '31337' }, { ...base, chain_id: '0x1' }).chain_id).toBe(
    '0x7a69',
  )
})
