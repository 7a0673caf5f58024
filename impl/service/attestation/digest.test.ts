import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { responseDigest } from './digest.ts'
import type { TaskResponse } from './types.ts'

const address = '0x00000000000000000000000000000000000000AA'
const word = `0x${'11'.repeat(32)}` as const

const response: TaskResponse = {
  taskId: word,
  policyClient: address,
  policyId: word,
  policyAddress: address,
  intent: {
    from: address,
    to: address,
    value: 2n ** 255n,
    data: '0x1234',
    chainId: 31_337n,
    functionSignature: '0x66282929',
  },
  intentSignature: '0x99',
  evaluationResult: `0x${'00'.repeat(31)}01`,
  policyTaskData: {
    policyId: word,
    policyAddress: address,
    policy: '0x',
    policyData: [
      {
        wasmArgs: '0x7b7d',
        data: '0x7b2261223a317d',
        attestation: `0x${'ee'.repeat(65)}`,
        policyDataAddress: address,
        expireBlock: 4_294_967_295,
      },
    ],
  },
  policyConfig: { policyParams: '0x7b7d', expireAfter: 100 },
}

describe('responseDigest (decision C2)', () => {
  it('is the hash of the tuple of decisions.md section 3 with attestations emptied', () => {
    const tuple = parseAbiParameters([
      'Response r',
      'struct Response { bytes32 taskId; address policyClient; bytes32 policyId; address policyAddress; Intent intent; bytes intentSignature; bytes evaluationResult; PolicyTaskData policyTaskData; PolicyConfig policyConfig; }',
      'struct Intent { address from; address to; uint256 value; bytes data; uint256 chainId; bytes functionSignature; }',
      'struct PolicyTaskData { bytes32 policyId; address policyAddress; bytes policy; PolicyData[] policyData; }',
      'struct PolicyData { bytes wasmArgs; bytes data; bytes attestation; address policyDataAddress; uint32 expireBlock; }',
      'struct PolicyConfig { bytes policyParams; uint32 expireAfter; }',
    ])
    const [entry] = response.policyTaskData.policyData
    const emptied = { ...entry!, attestation: '0x' as const }
    const policyTaskData = { ...response.policyTaskData, policyData: [emptied] }
    expect(responseDigest(response)).toBe(
      keccak256(encodeAbiParameters(tuple, [{ ...response, policyTaskData }])),
    )
    expect(responseDigest(response)).not.toBe(keccak256(encodeAbiParameters(tuple, [response])))
  })

  it('is stable', () => {
    expect(responseDigest(response)).toBe(VECTOR)
  })
})

const VECTOR = '0x359e0a1302c54eda6a11af19f47d8132bba649113035b60dc674e50a2ad9566e'
