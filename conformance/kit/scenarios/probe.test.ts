import { hexToString } from 'viem'
import { expect, test } from 'vitest'
import { ConformanceError } from '../../core/conformanceError.ts'
import { step, stepsOf, tape } from './probe.ts'

const hex = (text: string) => Buffer.from(text).toString('hex')

test('a tape is separate JSON, which does not reveal its steps', () => {
  const text = hexToString(tape(step.err('a-secret'), step.get))
  expect(Object.keys(JSON.parse(text))).toEqual(['tape'])
  expect(text).not.toContain('a-secret')
  expect(text).not.toContain(hex('a-secret'))
  const bytes = Buffer.from(JSON.parse(text).tape, 'hex').map((byte) => byte ^ 0x55)
  expect(Buffer.from(bytes).toString('latin1')).toBe('\x04\x08\0\0\0a-secret\x02\0')
})

test('a fetch is encoded with the lengths of its parts', () => {
  const body = Uint8Array.of(255)
  const bytes = step.fetch({ url: 'u', method: 'M', headers: [['n', 'vv']], body })
  expect(Buffer.from(bytes).toString('latin1')).toBe(
    '\x01\x01\0\0\0u\x01\0\0\0M\x01\0\0\0\x01\0\0\0n\x02\0\0\0vv\x01\x01\0\0\0\xff',
  )
})

test('results of steps are parsed from the output', () => {
  const done = [
    { status: 404, headers: [[hex('a'), hex('b')]], size: 1, body: '00' },
    { value: '7b7d' },
    { error: hex('refused') },
    { grown: false },
    { clock: '0500000000000000c0c62d00' },
    { random: '00ff' },
  ]
  expect(stepsOf({ probe: { done } })).toEqual([
    { kind: 'response', status: 404, headers: [['a', 'b']], size: 1, body: Buffer.from([0]) },
    { kind: 'value', value: Buffer.from('{}') },
    { kind: 'error', error: 'refused' },
    { kind: 'grown', grown: false },
    { kind: 'clock', unixMs: 5_003 },
    { kind: 'random', random: '00ff' },
  ])
})

test.each([undefined, null, {}, { probe: { done: 1 } }, { probe: { done: [1] } }])(
  '%j is not the output of a probe',
  (data) => {
    expect(() => stepsOf(data)).toThrow(ConformanceError)
  },
)
