import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConformanceError, Untestable } from '../core/conformanceError.ts'
import { derivedSeed } from '../core/seed.ts'
import { checkSequences, type SequenceOptions } from './sequences.ts'

/** A counter with a bug: after a reset and three more steps its value is four. */
type Counter = { value: number; wasReset: boolean }
type Model = { value: number }
type Real = { readonly counter: Counter; readonly story: string[] }

const step = (text: string, act: (model: Model, counter: Counter) => void) => ({
  check: () => true,
  run: async (model: Model, { counter, story }: Real) => {
    story.push(text)
    act(model, counter)
    if (counter.value !== model.value)
      throw new ConformanceError('the counter is wrong', {
        expected: `${model.value}`,
        observed: `${counter.value}`,
      })
  },
  toString: () => text,
})

const adds = step('add', (model, counter) => {
  model.value++
  counter.value += counter.wasReset && model.value === 3 ? 2 : 1
})
const looks = step('look', () => {})
const resets = step('reset', (model, counter) => {
  model.value = 0
  counter.value = 0
  counter.wasReset = true
})

const t = (seed: string) => ({
  seed: (use = '') => derivedSeed(seed, 'a.check', use),
  runs: (atLevelOne: number) => atLevelOne,
})

const played: string[][] = []
const options = (change: Partial<SequenceOptions<Model, Real>> = {}) => ({
  ...{ runs: 20, most: 30, least: 10 },
  steps: [fc.constant(adds), fc.constant(looks), fc.constant(resets)],
  withStage: async (play: Parameters<SequenceOptions<Model, Real>['withStage']>[0]) => {
    const story: string[] = []
    played.push(story)
    await play({
      model: { value: 0 },
      real: { counter: { value: 0, wasReset: false }, story },
      story,
    })
  },
  atEnd: async () => {},
  ...change,
})

const failure = (seed: string) =>
  checkSequences(t(seed), 'sequences', options()).then(
    () => undefined,
    (error: unknown) => error as ConformanceError,
  )

describe('a sequence that fails', () => {
  test('is shrunk to the necessary steps, line by line, with seed and path', async () => {
    const error = await failure('0x1')
    expect(error?.message).toBe('after 4 steps the counter is wrong')
    expect(error?.counterexample?.split('\n').slice(1)).toEqual(['reset', 'add', 'add', 'add'])
    expect(error?.counterexample).toMatch(/seed -?\d+, path \d+(:\d+)+, shortened [1-9]\d* times/)
    expect([error?.expected, error?.observed]).toEqual(['3', '4'])
  })

  test('recurs with the same seed, step by step', async () => {
    const run = async (seed: string) => {
      played.length = 0
      const error = await failure(seed)
      return { example: error?.counterexample, first: played[0], runs: played.length }
    }
    const first = await run('0x5eed')
    expect(await run('0x5eed')).toEqual(first)
    expect((await run('0x5eee')).first).not.toEqual(first.first)
  })

  test('a fault found at the end counts as well', async () => {
    const atEnd = async (model: Model) => {
      if (model.value > 1)
        throw new ConformanceError('too many', { expected: '1', observed: `${model.value}` })
    }
    await expect(
      checkSequences(t('0x1'), 'sequences', options({ steps: [fc.constant(adds)], atEnd })),
    ).rejects.toThrow('after 2 steps too many')
  })
})

test('no sequence is shorter than the minimum until one has failed', async () => {
  played.length = 0
  await checkSequences(t('0x2'), 'sequences', options({ steps: [fc.constant(looks)] }))
  expect(played).toHaveLength(20)
  expect(Math.min(...played.map(({ length }) => length))).toBeGreaterThanOrEqual(10)
  expect(Math.max(...played.map(({ length }) => length))).toBeLessThanOrEqual(30)
})

test('a stage that cannot be set up proves nothing', async () => {
  const withStage = async () => {
    throw new Untestable('no key')
  }
  await expect(checkSequences(t('0x1'), 'sequences', options({ withStage }))).rejects.toThrow(
    Untestable,
  )
})
