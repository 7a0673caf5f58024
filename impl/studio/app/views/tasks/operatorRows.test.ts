import { taskTraceOf } from 'polgate-client/trace/taskTrace.ts'
import { describe, expect, it } from 'vitest'
import { operatorRows } from './operatorRows.ts'

const [a, b] = ['0xaa', '0xbb'] as const
const response = (
  operator_address: `0x${string}`,
  phase: 'data' | 'signature',
  error: string | null,
) => ({
  ...{ operator_address, operator_id: '0x' as const, phase, success: error === null, error },
  timestamp: '2026-01-01T00:00:00Z',
})
const summary = taskTraceOf({
  taskId: '0x1',
  state: {
    ...{ status: 'processing', result: null },
    operator_responses: [
      response('0xAA', 'data', null),
      response('0xBB', 'data', null),
      response('0xAA', 'signature', null),
      response('0xBB', 'signature', 'refused'),
    ],
  },
  record: {
    data: ['{"p": 10}'],
    operators: [
      { address: '0xAA', outputs: ['{"p": 10}'], reasons: ['no'] },
      { address: '0xBB', outputs: ['{"p": "11", "q": 1}'], reasons: ['no', 'late'] },
    ],
  },
  row: undefined,
  operators: [
    { address: '0xBB', stake: '25' },
    { address: '0xAA', stake: '75' },
  ],
})

describe('what is known of a task', () => {
  it('joins the answers of gateway, control API and explorer, by operator', () => {
    expect(summary.votes).toMatchObject({ signed: 1, known: 2, stake: 75 })
    expect(summary.reasons).toEqual(['late', 'no'])
    expect(summary.operators.find(({ address }) => address === b)).toMatchObject({
      ...{ stake: '25', data: 'ok', signature: 'failed', error: 'refused' },
      differences: [
        { path: 'p', own: '"11"', settled: '10' },
        { path: 'q', own: '1', settled: undefined },
      ],
    })
    expect(summary.unknown).toEqual(['steps on chain (no explorer, or not indexed yet)'])
  })

  it('has rows of operators with shares, times and typed differences', () => {
    const spans = [
      ...[
        { id: 1, parent: null, kind: 'operator', name: 'collect data', operator: '0xBB' } as const,
      ],
    ].map((span) => ({ ...span, start: 0, duration: 7 }))
    const rows = operatorRows(summary.operators, summary.settled, { spans })
    expect(rows.map(({ address, share }) => [address, share])).toEqual([
      [a, 0.75],
      [b, 0.25],
    ])
    expect(rows[1]).toMatchObject({ collectMs: 7, signMs: undefined })
    expect(rows[1]!.typed![0]!.map(({ kind }) => kind)).toEqual(['type', 'extra'])
    expect(rows[0]!.typed).toEqual([[]])
  })
})
