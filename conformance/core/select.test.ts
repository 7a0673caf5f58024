import { describe, expect, test } from 'vitest'
import type { Check } from './check.ts'
import { CannotRun } from './conformanceError.ts'
import { nearest, selectChecks } from './select.ts'

const check = (id: string, ...clauses: string[]): Check => ({
  id,
  title: `title of ${id}`,
  clauses,
  level: 'must',
  needs: [],
  run: async () => undefined,
})
const checks = [
  check('rpc.createTask.allow', '4.2-01', '1-01'),
  check('rpc.createTask.deny', '4.2-02'),
  check('rpc.keys.invalid', '7.4-02'),
]
const ids = (selection: Parameters<typeof selectChecks>[1]) =>
  selectChecks(checks, selection).map(({ id }) => id)
function failure(selection: Parameters<typeof selectChecks>[1]) {
  try {
    selectChecks(checks, selection)
  } catch (error) {
    return error as CannotRun
  }
  throw new Error('it was accepted')
}

describe('selection', () => {
  test('without filters selects everything', () => expect(ids({})).toHaveLength(3))
  test('by id or title', () =>
    expect(ids({ grep: ['TASK\\.deny$'] })).toEqual(['rpc.createTask.deny']))
  test('by section, by part, by clause', () => {
    expect(ids({ clause: ['4.2'] })).toEqual(['rpc.createTask.allow', 'rpc.createTask.deny'])
    expect(ids({ clause: ['7'] })).toEqual(['rpc.keys.invalid'])
    expect(ids({ clause: ['1-01'] })).toEqual(['rpc.createTask.allow'])
  })
  test('by a numbered item of a section', () => {
    const oracle = check('rpc.oracle.input', '1-12')
    expect(selectChecks([...checks, oracle], { clause: ['1.3'] })).toEqual([oracle])
  })
  test('filters narrow each other', () => {
    expect(ids({ grep: ['allow'], clause: ['4.2'] })).toEqual(['rpc.createTask.allow'])
  })
})

describe('by what a check uses', () => {
  const slow = { ...check('webhook.retry', '6.2-01'), needs: ['webhook-receiver'] as const }
  const twin = { ...check('rpc.keys.none', '7.4-03'), twin: 'the right key', level: 'may' as const }
  const all = [...checks, slow, twin]
  const chosen = (selection: Parameters<typeof selectChecks>[1]) =>
    selectChecks(all, selection).map(({ id }) => id)

  test('a tag, one of several', () => {
    expect(chosen({ tag: ['webhook'] })).toEqual(['webhook.retry'])
    expect(chosen({ tag: ['webhook', 'negative'] })).toEqual(['webhook.retry', 'rpc.keys.none'])
  })
  test('a level', () => expect(chosen({ level: ['may'] })).toEqual(['rpc.keys.none']))
  test('and what is excluded', () =>
    expect(chosen({ clause: ['7'], exclude: ['none$'] })).toEqual(['rpc.keys.invalid']))
  test('and the tags of what is excluded', () => {
    expect(chosen({ clause: ['7'], excludeTag: ['negative'] })).not.toContain('rpc.keys.none')
    expect(chosen({ tag: ['webhook', 'negative'], excludeTag: ['webhook'] })).toEqual([
      'rpc.keys.none',
    ])
    const error = failure({ excludeTag: ['slowly'] })
    expect(error.message).toBe("--exclude-tag 'slowly' matches no check")
    expect(error.hint).toContain("Did you mean 'slow'")
  })
  test('an empty match is an error with the nearest name', () => {
    expect(failure({ tag: ['webhok'] }).hint).toContain("Did you mean 'webhook'")
    expect(failure({ level: ['most'] }).hint).toContain("Did you mean 'must'")
    expect(failure({ exclude: ['nothing-like-this'] }).message).toContain('matches no check')
  })
})

describe('filters that together match nothing are an error', () => {
  test('with the nearest name', () => {
    const error = failure({ grep: ['rpc.createTask.alow'] })
    expect(error).toBeInstanceOf(CannotRun)
    expect(error.message).toBe("--grep 'rpc.createTask.alow' matches no check")
    expect(error.hint).toBe("Did you mean 'rpc.createTask.allow'? polgate list shows them.")
    expect(failure({ clause: ['4.3'] }).hint).toContain("Did you mean '4.2'")
  })
  test('also if each filter matches alone', () => {
    expect(failure({ grep: ['keys'], clause: ['4.2'] }).message).toContain('together')
  })
  test('an invalid pattern is an error', () => {
    expect(failure({ grep: ['('] }).message).toContain('not a regular expression')
  })
})

test('nearest is by edit distance', () => {
  expect(nearest('createTsk', ['simulateTask', 'createTask', 'x'])).toBe('createTask')
})
