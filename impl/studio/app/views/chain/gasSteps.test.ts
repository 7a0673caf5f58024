import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import {
  createCall,
  created,
  idOf,
  multicall,
  respondCall,
  responded,
  spent,
} from './chain.fixture.ts'
import { gasSteps, latestTasks, medianOf, type Posted, transactionsOf } from './gasSteps.ts'

const posting = { transactionHash: idOf(100) }
const spending = { transactionHash: idOf(101) }
const [first, second] = [idOf(1), idOf(2)]
/** Two tasks are posted in one transaction, and one of them is spent. */
const logs = [
  created(first, posting),
  responded(first, 30, posting),
  created(second, posting),
  responded(second, 30, posting),
  spent(first, spending),
]
const call = (input: Hex, gasUsed: Hex) => ({ input, gasUsed })
const trace = {
  input: multicall(createCall(first), respondCall(first), createCall(second), respondCall(second)),
  calls: [
    call(createCall(first), '0x64'),
    call(respondCall(first), '0xc8'),
    call(createCall(second), '0x65'),
    call(respondCall(second), '0xc9'),
  ],
}

it('gas by step, with an equal share of the remaining gas of the transaction', () => {
  const tasks = latestTasks(logs, 10)
  expect(tasks).toEqual([first, second])
  expect(transactionsOf(logs, new Set(tasks))).toEqual([idOf(100), idOf(101)])
  const transactions = new Map<Hex, Posted>([
    [idOf(100), { gasUsed: '0x3e8', trace }],
    [idOf(101), { gasUsed: '0x12c' }],
  ])
  expect(gasSteps(logs, tasks, transactions)).toEqual([
    {
      ...{ taskId: first, create: 100, respond: 200, shared: 199, spend: 300 },
      ...{ total: 799, postedWith: 2 },
    },
    { taskId: second, create: 101, respond: 201, shared: 199, total: 501, postedWith: 2 },
  ])
})

it('without a trace, tasks share their transaction equally', () => {
  const transactions = new Map<Hex, Posted>([[idOf(100), { gasUsed: '0x3e8' }]])
  expect(gasSteps(logs, [second], transactions)).toEqual([
    { taskId: second, shared: 500, total: 500, postedWith: 2 },
  ])
})

it('transactions of one call each, and of none', () => {
  const [one, two] = [{ transactionHash: idOf(200) }, { transactionHash: idOf(201) }]
  const separate = [created(first, one), responded(first, 30, two)]
  const transactions = new Map<Hex, Posted>([
    [idOf(200), { gasUsed: '0x6e', trace: call(createCall(first), '0x6e') }],
    [idOf(201), { gasUsed: '0xd2', trace: call(respondCall(first), '0xd2') }],
  ])
  expect(gasSteps(separate, [first], transactions)).toEqual([
    { taskId: first, create: 110, respond: 210, shared: 0, total: 320, postedWith: 1 },
  ])
  expect(gasSteps([], [first], new Map())).toEqual([{ taskId: first, total: 0, postedWith: 0 }])
})

it('only the latest tasks', () => {
  expect(latestTasks(logs, 1)).toEqual([first])
  expect(latestTasks([], 5)).toEqual([])
})

it.each([
  [[3, 1, 2], 2],
  [[4, 1], 1],
  [[undefined, 5], 5],
  [[undefined], undefined],
  [[], undefined],
])('the median of %j', (values, median) => {
  expect(medianOf(values)).toBe(median)
})
