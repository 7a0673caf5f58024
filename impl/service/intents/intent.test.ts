import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { intentHash, intentView, parseIntent, taskId } from './intent.ts'

const wire = {
  from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value: `0x${'f'.repeat(64)}`,
  data: '0xABcd',
  chain_id: '0x7a69',
  function_signature: '0x66',
} as const

describe('intent', () => {
  it('is parsed with exact numbers and lower-case hex', () => {
    expect(parseIntent(wire)).toEqual({
      from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      value: 2n ** 256n - 1n,
      data: '0xabcd',
      chainId: 31337n,
      functionSignature: '0x66',
    })
  })

  it('is the same with its chain id in decimal', () => {
    expect(parseIntent({ ...wire, chain_id: '31337' })).toEqual(parseIntent(wire))
  })

  it('is returned in camelCase with quantities', () => {
    expect(intentView(parseIntent({ ...wire, value: '0x0' }))).toEqual({
      from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      value: '0x0',
      data: '0xabcd',
      chainId: '0x7a69',
      functionSignature: '0x66',
    })
  })
})

describe('hash', () => {
  it('is that of the ABI-encoded tuple', () => {
    const types = parseAbiParameters('address, address, uint256, bytes, uint256, bytes')
    const { from, to, value, data, chainId, functionSignature } = parseIntent(wire)
    expect(intentHash(parseIntent(wire))).toBe(
      keccak256(encodeAbiParameters(types, [from, to, value, data, chainId, functionSignature])),
    )
  })

  it('does not depend on letter case', () => {
    const upper = { ...wire, from: wire.from.toUpperCase().replace('X', 'x') as `0x${string}` }
    expect(intentHash(parseIntent(upper))).toBe(intentHash(parseIntent(wire)))
  })

  it.each([
    ['from', wire.to],
    ['to', wire.from],
    ['value', '0x1'],
    ['data', '0xabce'],
    ['chain_id', '0x1'],
    ['function_signature', '0x67'],
  ])('depends on %s', (member, value) => {
    expect(intentHash(parseIntent({ ...wire, [member]: value }))).not.toBe(
      intentHash(parseIntent(wire)),
    )
  })

  it('is stable', () => {
    expect(intentHash(parseIntent(wire))).toMatchInlineSnapshot(
      `"0x7d6c4285e74349c5396e5b6d0ae609ab4ba2fbf9f1e1ca99ced843629ffcd10f"`,
    )
  })
})

describe('task id', () => {
  const parts = {
    chainId: 31337n,
    policyClient: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    intentHash: `0x${'11'.repeat(32)}`,
    nonce: 0,
    taskCreatedBlock: 7,
  } as const

  it('is that of chain, client, intent, nonce and reference block', () => {
    const types = parseAbiParameters('uint256, address, bytes32, uint32, uint32')
    expect(taskId(parts)).toBe(
      keccak256(encodeAbiParameters(types, [31337n, parts.policyClient, parts.intentHash, 0, 7])),
    )
  })

  it('depends on every part', () => {
    const others = [
      { chainId: 1n },
      { policyClient: wire.from },
      { intentHash: `0x${'12'.repeat(32)}` },
      { nonce: 1 },
      { taskCreatedBlock: 8 },
    ] as const
    const ids = [parts, ...others.map((other) => ({ ...parts, ...other }))].map(taskId)
    expect(new Set(ids).size).toBe(6)
  })
})
