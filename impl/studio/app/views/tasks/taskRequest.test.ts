import { describe, expect, it } from 'vitest'
import { parsedParams, requestOf } from './taskRequest.ts'

const params = {
  policy_client: '0x1111111111111111111111111111111111111111',
  intent: {
    from: '0x2222222222222222222222222222222222222222',
    to: '0x3333333333333333333333333333333333333333',
    value: '0x1',
    data: '0x',
    chain_id: '0x7a69',
    function_signature: '0x',
  },
}

describe('the request of a task', () => {
  it('is the original, or else made from the task', () => {
    expect(requestOf({ method: 'sendTask', request: params }, undefined)).toEqual({
      ...{ method: 'sendTask', params, isOriginal: true },
    })
    const { chain_id: _, function_signature: functionSignature, ...intent } = params.intent
    const task = {
      ...{ taskId: '0x', policyClient: params.policy_client, nonce: 0, taskCreatedBlock: 1 },
      ...{ quorumThresholdPercentage: 67, quorumNumbers: '0x00', intentSignature: '0x' },
      ...{ wasmArgs: '0x7b7d', intent: { ...intent, functionSignature, chainId: 31337 } },
    }
    const made = requestOf(undefined, task as never)!
    expect(made).toEqual({
      ...{ method: 'createTask', isOriginal: false },
      params: { ...params, wasm_args: '0x7b7d', quorum_threshold_percentage: 67 },
    })
    expect(parsedParams(JSON.stringify(made.params))).toEqual({ params: made.params })
    expect(requestOf({ method: null, request: null }, undefined)).toBeUndefined()
  })

  it.each([
    ['{', /^This is not JSON/],
    ['[]', /^The whole/],
    ['{}', /^policy_client/],
    [JSON.stringify({ ...params, intent: { ...params.intent, to: '0x12' } }), /^intent\.to/],
    [JSON.stringify({ ...params, timeout: 601 }), /^timeout/],
  ])('is refused in the editor where it is not valid: %s', (text, error) => {
    expect(parsedParams(text)).toEqual({ error: expect.stringMatching(error) })
  })
})
