import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { decodeFunctionData, slice } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Attestation, validateCalldata } from './calldata.ts'

const address = '0x00000000000000000000000000000000000000AA'
const word = `0x${'11'.repeat(32)}` as const
const intent = {
  from: address,
  to: address,
  value: 1n,
  data: '0x',
  chainId: 31_337n,
  functionSignature: '0x',
} as const
const attestation: Attestation = {
  task: {
    taskId: word,
    policyClient: address,
    nonce: 1,
    taskCreatedBlock: 2,
    quorumThresholdPercentage: 67,
    intent,
    intentSignature: '0x',
    wasmArgs: '0x7b7d',
    quorumNumbers: '0x00',
  },
  response: {
    taskId: word,
    policyClient: address,
    policyId: word,
    policyAddress: address,
    intent,
    intentSignature: '0x',
    evaluationResult: word,
    policyTaskData: { policyId: word, policyAddress: address, policy: '0x', policyData: [] },
    policyConfig: { policyParams: '0x7b7d', expireAfter: 100 },
  },
  signatureData: '0x1234',
}

describe('validateCalldata', () => {
  it('is the call of validateAttestationDirect with its three parts', () => {
    const calldata = validateCalldata(attestation)
    expect(slice(calldata, 0, 4)).toBe('0x882d309e')
    expect(decodeFunctionData({ abi: taskManagerAbi, data: calldata })).toEqual({
      functionName: 'validateAttestationDirect',
      args: [attestation.task, attestation.response, attestation.signatureData],
    })
  })
})
