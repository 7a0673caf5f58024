import type { DataRequest, Operator, SignRequest } from 'polgate-service/operators/operator.ts'
import { operatorThat } from 'polgate-service/operators/testing/echoOperator.ts'
import { expect, it } from 'vitest'
import { createOperatorStatistics } from './operatorStatistics.ts'

const client = `0x${'11'.repeat(20)}` as const
const source = { policyDataAddress: client, wasmArgs: '0x' } as const
const addressOf = (at: number) => `0x${String(at).repeat(40)}` as const
const { signal } = new AbortController()

const dataOf = (referenceBlock: number): DataRequest => ({
  policyClient: client,
  sources: [{ ...source, wasmCid: 'bafy', envelope: null }],
  referenceBlock,
})
const signingOf = (referenceBlock: number) =>
  ({
    draft: {
      taskId: `0x${referenceBlock.toString(16).padStart(64, '0')}`,
      policyClient: client,
      policyTaskData: { policyData: [source] },
    },
    referenceBlock,
  }) as unknown as SignRequest

it('counts agreement, differences and what was missed, by task', async () => {
  let time = 993
  const statistics = createOperatorStatistics(() => time)
  const answering = (at: number, result: `0x${string}` | undefined): Operator =>
    statistics.around(
      operatorThat({
        address: addressOf(at),
        collectData: async () => ({ outputs: [`{"by":${at}}`], timings: {} }),
        sign: async () => {
          if (result === undefined) throw new Error('no')
          return {
            ...{ evaluationResult: result, reasons: [], timings: {} },
            signature: { X: '0x1', Y: '0x1' },
          }
        },
      }),
    )
  const [heavy, light, other, failing, apart] = [
    answering(1, '0x01'),
    answering(2, '0x00'),
    answering(3, '0x00'),
    answering(4, undefined),
    answering(5, '0x01'),
  ] as const
  // Two tasks; the data of the last operator is left out of both, and it is not asked to sign.
  for (const block of [7, 8]) {
    time = 993 + block
    for (const each of [heavy, light, other, failing, apart])
      await each.collectData(dataOf(block), signal)
    for (const each of [heavy, light, other]) await each.sign(signingOf(block), signal)
    await failing.sign(signingOf(block), signal).catch(() => {})
  }
  const of = (at: number, heaviest = 1) =>
    statistics.of(addressOf(at), (each) => (each === addressOf(heaviest) ? 10n : 1n))
  expect(of(1)).toMatchObject({ agreed: 2, differed: 0, missed: 0 })
  expect(of(2)).toMatchObject({ agreed: 0, differed: 2, missed: 0 })
  expect(of(4)).toMatchObject({ agreed: 0, differed: 0, missed: 2, p50: null })
  expect(of(2).recent).toEqual(
    [1_000, 1_001].map((at) => ({ at, ms: expect.any(Number), outcome: 'differed' })),
  )
  expect(of(4).recent).toEqual([1_000, 1_001].map((at) => ({ at, ms: null, outcome: 'missed' })))
  expect(of(5)).toMatchObject({ agreed: 0, differed: 2, missed: 0 })
  // Never asked: stopped.
  expect(of(6)).toMatchObject({ agreed: 0, differed: 0, missed: 2, reported: null })
  // The result with most stake, not with most operators.
  expect(of(1, 2)).toMatchObject({ agreed: 0, differed: 2 })
  expect(of(5).reported).toMatchObject({ policyClient: client, outputs: ['{"by":5}'] })
  statistics.clear()
  expect(of(1)).toEqual({
    ...{ agreed: 0, differed: 0, missed: 0, recent: [], p50: null, p99: null, reported: null },
  })
})

it('keeps a bounded number of tasks, and no long data', async () => {
  const statistics = createOperatorStatistics()
  let output = '{}'
  const operator = statistics.around(
    operatorThat({
      address: addressOf(1),
      collectData: async () => ({ outputs: [output], timings: {} }),
      sign: async () => ({
        ...{ evaluationResult: '0x01', reasons: [], timings: {} },
        signature: { X: '0x1', Y: '0x1' },
      }),
    }),
  )
  for (let block = 0; block < 700; block += 1) await operator.sign(signingOf(block), signal)
  const { agreed, recent } = statistics.of(addressOf(1), () => 1n)
  expect([agreed, recent.length]).toEqual([500, 60])
  output = `"${'x'.repeat(20_000)}"`
  await operator.collectData(dataOf(1), signal)
  expect(statistics.of(addressOf(1), () => 1n).reported).toBeNull()
})
