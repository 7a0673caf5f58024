import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { expectationOf, expectations } from './catalogue.ts'
import { equals, equalsFact, fact, satisfies } from './expectation.ts'

test('every entry is of a check that exists', () => {
  const unknown = Object.keys(expectations).filter((key) => {
    const ids = new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    return !checks.some(({ id }) => ids.test(id))
  })
  expect(unknown).toEqual([])
})

test('every point that the sources observe has an entry, and every entry a point', () => {
  const root = new URL('..', import.meta.url).pathname
  const sources = ['checks', 'kit', 'model'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(`${root}${folder}/${name}`, 'utf8')),
  )
  const calls =
    /\b(?:observed|expectDecided(?:Time)?|isRequired|answerIfAny|endIfAny|warnings)\(\s*(?:(?:surfaces\.)?t,\s*)?'([^']+)'/g
  const observed = new Set(
    sources.flatMap((text) => [...text.matchAll(calls)].map(([, point]) => point!)),
  )
  const decided = new Set(Object.values(expectations).flatMap((points) => Object.keys(points)))
  expect([...observed].sort()).toEqual([...decided].sort())
})

test('a point without an entry is an error', () => {
  expect(() => expectationOf('rpc.createTask.accepted', 'nothing')).toThrow("point 'nothing'")
  expect(expectationOf('cross.everything', 'task-owner')).toBeDefined()
})

test('an expectation tells what it expected', () => {
  expect(equals(1)(1, {})).toBeUndefined()
  expect(equals([1], 'one')([2], {})).toEqual({ expected: 'one' })
  expect(equalsFact('seen')(1, { seen: 2 })).toEqual({ expected: 2 })
  expect(fact('sorted', 'in order')([], { sorted: false })).toEqual({ expected: 'in order' })
  expect(
    satisfies(
      ({ least }) => `above ${least}`,
      () => false,
    )(1, { least: 3 }),
  ).toEqual({
    expected: 'above 3',
  })
})
