import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { derive } from './derive.ts'
import { type Around, type Fault, withFault } from './fault.ts'
import { type Member, pathText } from './member.ts'
import { membersOf, type Schema } from './membersOf.ts'
import { nextTo, renamed, retyped } from './operators.ts'
import { exact, optional, text } from './specified.ts'

const hex = '^0x[0-9a-f]{8}$'
const schema: Schema = {
  type: 'object',
  required: ['task_id', 'client_id', 'rows'],
  properties: {
    task_id: { type: 'string', pattern: hex },
    client_id: { type: 'string', pattern: hex },
    status: {
      anyOf: [
        { const: 'on', type: 'string' },
        { const: 'off', type: 'string' },
      ],
    },
    count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    at: { type: 'string', format: 'date-time' },
    rows: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
  },
}
const Row: Schema = { type: 'object', properties: { ready: { type: 'boolean' }, note: {} } }
const members = membersOf(schema, { Row })
const everything = exact('2.5-01')

test('members are those of nested objects, items and alternatives', () => {
  expect(members.map(({ path }) => pathText(path))).toEqual([
    'task_id',
    'client_id',
    'status',
    'count',
    'at',
    'rows',
    'rows[]',
    'rows[].ready',
    'rows[].note',
  ])
  const [id, , status, count] = members
  expect(id).toMatchObject({ types: ['string'], required: true, pattern: hex, nullable: false })
  expect(status).toMatchObject({ values: ['on', 'off'], required: false })
  expect(count).toMatchObject({ types: ['number'], nullable: true })
})

test('a reference to a schema that is not there is an error that names it', () => {
  expect(() => membersOf(schema, {})).toThrow('no schema #/components/schemas/Row')
})

/** Valid answers of the schema, with at least one row. */
const bytes = fc.nat({ max: 0xffff_ffff }).map((n) => `0x${n.toString(16).padStart(8, '0')}`)
const answer = fc.record({
  task_id: bytes,
  client_id: bytes,
  status: fc.constantFrom('on', 'off'),
  count: fc.integer(),
  at: fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((each) => each.toISOString()),
  rows: fc.array(fc.record({ ready: fc.boolean(), note: fc.string() }), { minLength: 1 }),
})

const faults = members.flatMap((member) => derive(members, () => everything, member).faults)
const named = (operator: string, path: string): Fault =>
  faults.find((each) => each.operator === operator && pathText(each.member.path) === path)!

/** Operators that need something in the values: another value before, beside or in the request. */
const conditional = ['stale', 'swap', 'echo']

describe('a derived fault', () => {
  test('changes every valid answer, unless it needs another value that is not there', () => {
    fc.assert(
      fc.property(answer, fc.constantFrom(...faults), (valid, fault) => {
        const around: Around = { request: [], previous: undefined }
        const changed = withFault(structuredClone(valid), fault, around)
        const same = isDeepStrictEqual(changed, valid)
        expect(same && !conditional.includes(fault.operator)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test('takes the value of the answer before, of the sibling, and of the request', () => {
    fc.assert(
      fc.property(answer, answer, bytes, (valid, before, sent) => {
        fc.pre(new Set([valid.task_id, valid.client_id, before.task_id, sent]).size === 4)
        const around: Around = { request: [7, 'text', sent], previous: before }
        const changed = (operator: string) =>
          withFault(structuredClone(valid), named(operator, 'task_id'), around)
        expect(changed('stale')).toEqual({ ...valid, task_id: before.task_id })
        expect(changed('echo')).toEqual({ ...valid, task_id: sent })
        const { task_id, client_id } = valid
        expect(changed('swap')).toEqual({ ...valid, task_id: client_id, client_id: task_id })
      }),
    )
  })

  test('changes nothing where the answer has no such member', () => {
    const around: Around = { request: ['0x00000000'], previous: {} }
    for (const fault of faults) expect(withFault({ other: 1 }, fault, around)).toEqual({ other: 1 })
  })

  test('is not made where the answer would be valid, each time with a reason', () => {
    const reasons = (member: Member, specified: typeof everything) =>
      Object.fromEntries(
        derive(members, () => specified, member).excluded.map((each) => [
          each.operator,
          each.reason,
        ]),
      )
    const id = members[0]!
    expect(reasons(id, everything)).toEqual({})
    expect(reasons(id, optional('it may be elsewhere', everything))).toEqual({
      drop: 'it may be elsewhere',
      null: 'it may be elsewhere',
      rename: 'it may be elsewhere',
    })
    expect(Object.keys(reasons(id, text('2.5-01')))).toEqual([
      'off-by-one',
      'stale',
      'swap',
      'echo',
    ])
    expect(derive(members, () => undefined, id)).toEqual({ faults: [], excluded: [] })
  })
})

test('operators on single values', () => {
  const [id, , status, , at] = members as [Member, Member, Member, Member, Member]
  expect([retyped(3), retyped('0x10'), retyped('x'), retyped(true), retyped({})]).toEqual([
    '3',
    16,
    0,
    'true',
    [{}],
  ])
  expect(['task_id', 'policyData', 'status'].map(renamed)).toEqual([
    'taskId',
    'policy_data',
    'status_value',
  ])
  expect(nextTo('0x0000000f', id)).toBe('0x00000000')
  expect(nextTo('on', status)).toBe('off')
  expect(nextTo('41', id)).toBe('42')
  expect(nextTo('2026-01-01T00:00:00Z', at)).toBe('2026-01-01T00:00:01.000Z')
  expect(nextTo('text', { ...id, pattern: undefined as never })).toBe('text')
})
