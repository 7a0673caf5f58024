import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computed, valueFault } from './mockValues.ts'

const now = Date.parse('2026-01-02T03:04:05.678Z')
function made(template: unknown, body = '') {
  expect(valueFault(template)).toBeUndefined()
  return computed(template, { now, request: { body } })
}

test.each([
  [{ $now: 0 }, 1_767_323_045],
  [{ $now: -10 }, 1_767_323_035],
  [{ $now: '-10s' }, 1_767_323_035],
  [{ $now: '-10s', $as: 'seconds' }, 1_767_323_035],
  [{ $now: 0, $as: 'milliseconds' }, 1_767_323_045_678],
  [{ $now: '+1500ms', $as: 'milliseconds' }, 1_767_323_047_178],
  [{ $now: 0, $as: 'iso' }, '2026-01-02T03:04:05.678Z'],
  [{ $now: '-1d', $as: 'iso' }, '2026-01-01T03:04:05.678Z'],
  [{ $now: '2h', $as: 'iso' }, '2026-01-02T05:04:05.678Z'],
  [{ a: [{ $now: '-1m', $as: 'iso' }] }, { a: ['2026-01-02T03:03:05.678Z'] }],
])('%j', (template, expected) => {
  expect(made(template)).toEqual(expected)
})

test.each([
  ['/id', '{"id":7}', 7],
  ['/params/0/to', '{"params":[{"to":"0x1"}]}', '0x1'],
  ['', '[1]', [1]],
  ['/a~1b', '{"a/b":1}', 1],
  ['/id', '{}', null],
  ['/length', '"text"', null],
  ['/id', 'no JSON', null],
])('the part %s of %s', ($request, body, expected) => {
  expect(made({ $request }, body)).toEqual(expected)
})

test.each([
  [{ $now: 'yesterday' }, '$now must be'],
  [{ $now: '10' }, '$now must be'],
  [{ $now: 1e30 }, '$now must be'],
  [{ $as: 'iso' }, '$now must be'],
  [{ $now: 0, $as: 'unix' }, '$as must be one of seconds, milliseconds, iso'],
  [{ $now: 0, other: 1 }, '$now, other do not belong together'],
  [{ a: [{ $request: 'id' }] }, '$request must be a JSON pointer'],
  [{ $request: '/id', $now: 0 }, 'do not belong together'],
])('%j is refused', (template, fault) => {
  expect(valueFault(template)).toContain(fault)
})

test('other documents stay as they are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (document) => {
      fc.pre(!/\$(now|as|request)/.test(JSON.stringify(document)))
      expect(made(document)).toEqual(document)
    }),
  )
})
