import type { ShownExplanation } from 'polgate-protocol/control/taskTrace.ts'
import { describe, expect, it } from 'vitest'
import { decisionSteps } from './decisionSteps.ts'
import { sourceLines } from './sourceLines.ts'

const source =
  'package p\nallow if count(deny) == 0\ndeny contains "a" if 1 == 1\ndeny contains "b" if x\n'
const explanation: ShownExplanation = {
  rules: [
    {
      ...{ name: 'data.p.allow', isDefault: false },
      definitions: [
        {
          ...{ text: 'allow if count(deny) == 0', row: 2, held: false },
          failures: [
            {
              ...{ text: 'count(deny) == 0', row: 2, count: 1 },
              values: [{ text: 'count(deny)', value: '1' }],
            },
          ],
        },
      ],
    },
    {
      ...{ name: 'data.p.deny', isDefault: false },
      definitions: [
        { text: 'deny contains "a" if 1 == 1', row: 3, held: true, failures: [] },
        {
          ...{ text: 'deny contains "b" if x', row: 4, held: false },
          failures: [{ text: 'x', row: 4, count: 1, values: [{ text: 'x', value: null }] }],
        },
      ],
    },
  ],
  ...{ covered: [2, 3], notCovered: [4], deciding: [2, 3] },
}

describe('the lines of a policy', () => {
  it('show what held, what did not with its values, and what was not reached', () => {
    const lines = sourceLines({ source, explanation })
    expect(lines.map(({ outcome }) => outcome)).toEqual([
      ...[undefined, 'did not hold', 'held', 'did not hold', undefined],
    ])
    expect(lines.map(({ decides }) => decides)).toEqual([false, true, true, false, false])
    expect(lines[1]!.failures[0]!.values).toEqual([{ text: 'count(deny)', value: '1' }])
    const unexplained = sourceLines({ source, explanation: null })
    expect(unexplained.every(({ outcome }) => outcome === undefined)).toBe(true)
  })

  it('that decided are those of the entrypoint and of deny, with or without data.', () => {
    const steps = [
      {
        rule: 'data.p.allow',
        row: 2,
        text: 'count(deny) == 0',
        held: false,
        values: 'count(deny) = 1',
      },
      { rule: 'data.p.deny', row: 3, text: 'deny contains "a" if 1 == 1', held: true, values: '' },
    ]
    expect(decisionSteps(explanation, 'p.allow')).toEqual(steps)
    expect(decisionSteps(explanation, 'data.p.allow')).toEqual(steps)
    expect(decisionSteps(explanation, 'q.allow')).toEqual([])
  })
})
