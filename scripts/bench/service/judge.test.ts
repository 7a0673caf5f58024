import { describe, expect, it } from 'vitest'
import { type Goal, goals, machineOfGoals } from './goals.ts'
import { judge, type Reference } from './judge.ts'

const same: Reference = { echo: machineOfGoals, task: (operators) => operators }
const half: Reference = { ...same, echo: { 1: 1_862.5, 16: 2_994.5, 64: 2_596 } }
const twice: Reference = { ...same, echo: { 1: 7_450, 16: 11_978, 64: 10_384 } }

const time: Goal = {
  figure: 'a task',
  section: 'tasks',
  reading: 'p50',
  unit: 'ms',
  atMost: 50,
  limit: { kind: 'task', operators: 4 },
  machine: 1,
}
const rate: Goal = {
  figure: 'calls',
  section: 'methods',
  reading: 'rate',
  unit: '/s',
  atLeast: 600,
  machine: 64,
}
const share: Goal = {
  figure: 'share',
  section: 'methods',
  reading: 'rate',
  unit: '/s',
  atLeast: 0.3,
  ofLimit: true,
  limit: { kind: 'echo', connections: 16 },
}
const verdict = (goal: Goal, measured: number, reference: Reference) =>
  judge(goal, measured, reference).verdict

describe('judge', () => {
  it('allows for noise', () => {
    expect([50, 54.9, 55.1].map((ms) => verdict(time, ms, same))).toEqual(['met', 'met', 'missed'])
    expect([600, 546, 545].map((each) => verdict(rate, each, same))).toEqual([
      'met',
      'met',
      'missed',
    ])
  })

  it('gives a slower machine proportionally more time, a faster one no less', () => {
    expect([99, 111].map((ms) => verdict(time, ms, half))).toEqual(['met', 'missed'])
    expect([50, 56].map((ms) => verdict(time, ms, twice))).toEqual(['met', 'missed'])
    expect([300, 270].map((each) => verdict(rate, each, half))).toEqual(['met', 'missed'])
  })

  it('compares a figure with its limit where the goal is a ratio', () => {
    expect([1_800, 1_600].map((each) => verdict(share, each, same))).toEqual(['met', 'missed'])
    expect(judge(time, 40, same)).toMatchObject({ limit: 4, ratio: 10 })
  })

  it('leaves a section that did not run open', () => {
    expect(judge(rate, undefined, same).verdict).toBe('not measured')
  })
})

it('every goal is a maximum or a minimum', () => {
  for (const { atMost, atLeast } of goals)
    expect([atMost, atLeast].filter((bound) => bound !== undefined)).toHaveLength(1)
})
