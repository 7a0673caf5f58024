import { expect, test } from 'vitest'
import type { CheckContext } from '../../core/context.ts'
import type { Expectation } from '../../core/expectation.ts'
import { expectDecided, isRequired, observed } from './observed.ts'

const isB: Expectation = (value, { b }) => (value === b ? undefined : { expected: b })

function contextOf(reference: boolean, load?: string) {
  const told: string[] = []
  const context = {
    observe: (text: string) => told.push(text),
    overloaded: () => load,
    expectation: (point: string) => (reference && point === 'word' ? isB : undefined),
  } as unknown as CheckContext
  return { context, told }
}

test('a value is reported for every target, and judged for the reference alone', () => {
  for (const reference of [false, true]) {
    const { context, told } = contextOf(reference)
    const judge = (value: string) => () => observed(context, 'word', 'the word', value, { b: 'b' })
    if (reference) expect(judge('a')).toThrow('the word differs from the decision')
    else expect(judge('a')).not.toThrow()
    expect(judge('b')).not.toThrow()
    expect(told).toEqual(['the word: a', 'the word: b'])
  }
})

test('a value that is not worth a line is judged all the same', () => {
  const { context, told } = contextOf(true)
  expect(() => expectDecided(context, 'word', 'the word', 'a', { b: 'b' })).toThrow(
    'differs from the decision',
  )
  expect(told).toEqual([])
})

test('a timeout on an overloaded machine is not compared, any other value is', () => {
  const late = 'Simulation timed out after 30 s'
  const judge = (value: string, load?: string) => {
    const { context, told } = contextOf(true, load)
    expectDecided(context, 'word', 'the error', value, { b: 'b' })
    return told
  }
  expect(judge(late, 'the load was 9')).toEqual([
    `the error is not compared with the decision, since the load was 9: ${late}`,
  ])
  expect(() => judge(late)).toThrow('differs from the decision')
  expect(() => judge('a', 'the load was 9')).toThrow('differs from the decision')
})

test('what is open is required of the reference alone', () => {
  expect(isRequired(contextOf(true).context, 'word')).toBe(true)
  expect(isRequired(contextOf(false).context, 'word')).toBe(false)
})
