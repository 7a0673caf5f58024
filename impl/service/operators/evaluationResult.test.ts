import { decodeAbiParameters, encodeAbiParameters, hexToString } from 'viem'
import { expect, it } from 'vitest'
import { encodeEvaluationResult } from './evaluationResult.ts'

it('encodes a boolean as 32 bytes', () => {
  expect(encodeEvaluationResult('true')).toBe(`0x${'0'.repeat(63)}1`)
  expect(encodeEvaluationResult('false')).toBe(`0x${'0'.repeat(64)}`)
})

it('encodes a string as an ABI string, so that CAP is not mistaken for true', () => {
  const cap = encodeEvaluationResult('"CAP"')
  expect(decodeAbiParameters([{ type: 'string' }], cap)).toEqual(['CAP'])
  expect(cap).not.toBe(encodeAbiParameters([{ type: 'string' }], ['true']))
  expect(encodeEvaluationResult('"a\\u00e9\\n"')).toBe(
    encodeAbiParameters([{ type: 'string' }], ['aé\n']),
  )
})

it('encodes anything else as JSON, and never as an allowing value', () => {
  for (const json of ['1', 'null', '{"allow":true}', '[true]', '12345678901234567890']) {
    const encoded = encodeEvaluationResult(json)
    expect(hexToString(encoded)).toBe(json)
    expect(encoded).not.toBe(encodeEvaluationResult('true'))
  }
})
