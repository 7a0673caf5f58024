import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import { describe, expect, it } from 'vitest'
import { prepareTask } from './prepare.ts'

const required: CreateTaskParams = {
  policy_client: `0x${'Ab'.repeat(20)}`,
  intent: {
    from: `0x${'01'.repeat(20)}`,
    to: `0x${'02'.repeat(20)}`,
    value: '0x0',
    data: '0x',
    chain_id: '0x1',
    function_signature: '0x',
  },
}

describe('prepareTask', () => {
  it('applies the defaults of section 4.2 and decision T6', () => {
    expect(prepareTask(required)).toMatchObject({
      policyClient: `0x${'ab'.repeat(20)}`,
      intentSignature: null,
      quorumNumbers: '0x00',
      quorums: [0],
      threshold: 67,
      wasmArgs: '0x',
      timeoutMs: 30_000,
      includeCalldata: false,
    })
  })

  it('accepts a threshold of zero, fractions of a second, and lower-case hex without 0x', () => {
    const given = { quorum_threshold_percentage: 0, timeout: 0.25, quorum_number: '0001' }
    expect(prepareTask({ ...required, ...given, wasm_args: '7B7D' })).toMatchObject({
      threshold: 0,
      timeoutMs: 250,
      quorumNumbers: '0x0001',
      quorums: [0, 1],
      wasmArgs: '0x7b7d',
    })
  })

  it.each([
    ['quorum_number', '', 'quorum_number is empty'],
    ['quorum_number', '0100', 'quorum_number must be strictly ascending'],
    ['quorum_number', '0101', 'quorum_number must be strictly ascending'],
    ['wasm_args', '0xff', 'wasm_args is not UTF-8'],
  ])('rejects %s %j', (member, value, details) => {
    expect(() => prepareTask({ ...required, [member]: value })).toThrow(
      expect.objectContaining({ code: -32602, message: `Invalid request format: ${details}` }),
    )
  })

  it.each(['', '0x', `0x${'11'.repeat(64)}`, `0x${'11'.repeat(66)}`])(
    'requires exactly 65 bytes for the signature %j',
    (intent_signature) => {
      expect(() => prepareTask({ ...required, intent_signature })).toThrow(
        expect.objectContaining({
          code: -32615,
          message: expect.stringMatching(
            /^Failed to encode intent signature.*expected exactly 65 bytes/,
          ),
        }),
      )
    },
  )
})
