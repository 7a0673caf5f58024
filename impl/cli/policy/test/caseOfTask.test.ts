import { Value } from '@sinclair/typebox/value'
import { caseOfTask } from 'polgate-local/taskTrace/caseOfTask.ts'
import type {
  ShownEvaluation,
  ShownExchange,
  TaskSpan,
  TaskTraceAnswer,
} from 'polgate-protocol/control/taskTrace.ts'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CasesFile } from '../../package/casesSchema.ts'

const evaluation: ShownEvaluation = {
  ...{ operators: ['0xa'], source: 'package p', entrypoint: 'p.allow', input: '{}', wasm: '{}' },
  ...{ params: '{"max_usd": 100}', time: '2026-01-01T00:00:00.000Z' },
  ...{ result: 'false', reasons: ['too much'], error: null, explanation: null },
}
const exchange = (url: string, status: number, text: string | null, note?: string) =>
  ({
    ...{ method: 'GET', url, requestHeaders: [], requestBody: { text: '', size: 0 } },
    response: {
      ...{ status, headers: [['content-type', 'application/json']] },
      body: { text, size: 9, ...(note === undefined ? {} : { note }) },
    },
  }) satisfies ShownExchange
const http = (operator: string, shown: ShownExchange, error?: string): TaskSpan => ({
  ...{ id: 1, parent: null, kind: 'http', name: 'GET', operator, start: 0, duration: 1 },
  exchange: shown,
  ...(error === undefined ? {} : { error }),
})
const trace = (more: Partial<TaskTraceAnswer> = {}): TaskTraceAnswer => ({
  ...{
    taskId: `0x${'ab'.repeat(32)}`,
    method: 'createTask',
    ended: true,
    chain: [],
    notes: [],
    state: null,
  },
  startedAt: '2026-01-01T00:00:00.000Z',
  request: { intent: { to: '0x01' }, wasm_args: '0x7b2273796d626f6c223a22455448227d' },
  spans: [],
  operators: [],
  stakes: null,
  settled: ['{"price_feed": {"price": 1}}'],
  evaluations: [evaluation],
  ...more,
})
function caseIn(given: TaskTraceAnswer, options = {}) {
  const answer = caseOfTask(given, options)
  const file: unknown = parse(answer.yaml)
  expect([...Value.Errors(CasesFile, file)]).toEqual([])
  return { ...answer, made: (file as CasesFile).cases[0]! }
}

describe('a case of a package from a task', () => {
  it('has its intent, parameters, arguments by oracle, time and decision', () => {
    expect(caseIn(trace()).made).toEqual({
      name: 'task 0xabababababababab',
      intent: { to: '0x01' },
      params: { max_usd: 100 },
      wasmArgs: { price_feed: { symbol: 'ETH' } },
      time: '2026-01-01T00:00:00.000Z',
      expect: { deny: ['too much'] },
    })
    const named = caseIn(trace(), { name: 'mine', oracles: ['feed'] }).made
    expect(named).toMatchObject({ name: 'mine', wasmArgs: { feed: { symbol: 'ETH' } } })
  })

  it.each([
    [{ result: 'true', reasons: [] }, 'allow'],
    [{ result: '"true"', reasons: [] }, 'allow'],
    [{ result: '"CAP"', reasons: [] }, 'deny'],
    [
      { result: null, reasons: [], error: 'Rego evaluation failed: x' },
      { fails: 'Rego evaluation failed: x' },
    ],
  ])('expects of an evaluation %o the decision %o', (outcome, expected) => {
    const given = trace({ evaluations: [{ ...evaluation, ...outcome }] })
    expect(caseIn(given).made.expect).toEqual(expected)
  })

  it('has what hosts answered to the oracles of one operator, in order', () => {
    const spans = [
      http('0xa', exchange('https://prices.example/v1/ETH?in=usd', 200, '{"price": 1}')),
      http('0xb', exchange('https://prices.example/v1/ETH?in=usd', 200, '{"price": 7}')),
      http('0xa', exchange('https://prices.example/v1/ETH?in=usd', 503, 'busy')),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder
      http('0xa', exchange('https://other.example/x?key=${secret:KEY}', 200, null, 'not text')),
      http('0xa', { ...exchange('https://down.example/', 200, ''), response: null }, 'refused'),
    ]
    const { made, notes } = caseIn(trace({ spans }))
    expect(made.mocks).toEqual({
      'prices.example': {
        'GET /v1/ETH?in=usd': [
          { json: { price: 1 } },
          { status: 503, body: 'busy', headers: { 'content-type': 'application/json' } },
        ],
      },
      'other.example': { 'GET /x': { fillIn: 'the body of 9 bytes: not text' } },
      'down.example': { 'GET /': { cut: true } },
    })
    expect(notes.join()).toMatch(/Fill in the answers.*testSecrets/)
  })

  it('says what is not known of a task that was not evaluated here', () => {
    const spans: TaskSpan[] = [
      {
        id: 1,
        parent: null,
        kind: 'task',
        name: 'task',
        start: 0,
        duration: 1,
        error: 'no quorum',
      },
    ]
    const { made, notes } = caseIn(trace({ evaluations: [], settled: null, spans }))
    expect(made).toMatchObject({ expect: { fails: 'no quorum' } })
    expect(made).not.toHaveProperty('params')
    expect(notes).toHaveLength(2)
  })
})
