import type { ConformanceEvidence } from 'polgate-protocol/control/conformance.ts'
import { expect, it } from 'vitest'
import { diffTexts, subjectIndex, twinOf } from './diffJson.ts'

const sent = (members: Partial<ConformanceEvidence> = {}, url = '/rpc'): ConformanceEvidence => ({
  ...{ kind: 'exchange', at: 1, request: { method: 'POST', url, headers: {}, body: '' } },
  ...members,
})
const block: ConformanceEvidence = { kind: 'block', at: 1, text: 'block 1' }

it('compares texts that are JSON', () => {
  expect(diffTexts('{"a":1}', '{"a":"1"}')).toMatchObject([{ path: ['a'], kind: 'type' }])
  expect(diffTexts('{"a":1}', '{"a":1}')).toEqual([])
  expect(diffTexts('{"a":1}', '')).toBeUndefined()
})

it('finds the exchange that decided, and its twin at the same address', () => {
  expect(subjectIndex([sent(), sent({ subject: true }), sent()])).toBe(1)
  expect(subjectIndex([sent(), block, sent({ phase: 'cleanup' })])).toBe(0)
  expect(subjectIndex([block])).toBe(-1)
  const twin = sent({ phase: 'twin' })
  expect(twinOf([sent({ phase: 'twin' }, '/v1'), twin, sent()], sent())).toBe(twin)
  expect(twinOf([sent()], sent())).toBeUndefined()
})
