import { Value } from '@sinclair/typebox/value'
import { Hono } from 'hono'
import { OperatorReport, QuorumReport } from 'polgate-protocol/control/operators.ts'
import { operatorsOf } from 'polgate-service/attestation/testing/operatorSet.ts'
import { honestOperator, runPhases } from 'polgate-service/tasks/testing/pipeline.ts'
import { describe, expect, it } from 'vitest'
import { createOperatorFaults } from './operatorFaults.ts'
import type { OperatorParts } from './operatorReports.ts'
import { addOperatorRoutes } from './operatorRoutes.ts'
import { createOperatorStatistics } from './operatorStatistics.ts'

const { keys, setOf } = operatorsOf(
  'routes of operators',
  [40n, 30n, 20n, 10n].map((stake) => [stake, undefined]),
)
const set = setOf([0])

/** The routes over four operators, without a stack. */
function served(more: Partial<OperatorParts> = {}) {
  const honest = keys.map((key, at) => honestOperator(set, at, key))
  const faults = createOperatorFaults(
    new Map(honest.map(({ address }, at) => [address.toLowerCase(), keys[at]!])),
  )
  const statistics = createOperatorStatistics(() => 5)
  const operators = honest.map((each) => statistics.around(faults.around(each)))
  const switches = honest.map(({ address, id }) => ({
    ...{ address, id, running: true },
    stop() {
      this.running = false
    },
    start() {
      this.running = true
    },
  }))
  const app = new Hono()
  const operatorSet = async () => set
  addOperatorRoutes(app, { operators: switches, operatorSet, faults, statistics, ...more })
  const get = async <T>(path: string) => (await (await app.request(path)).json()) as T
  const post = (path: string, body?: unknown) =>
    app.request(path, {
      method: 'POST',
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  return {
    ...{ app, get, post },
    reports: () => get<OperatorReport[]>('/operators'),
    quorum: (query = '') => get<QuorumReport>(`/operators/quorum${query}`),
    task: () => runPhases({ set, operators, threshold: 60 }),
  }
}

describe('GET /operators', () => {
  it('shows stake, registration, fault, latency, agreement and reported data', async () => {
    const { reports, post, task } = served()
    await task()
    await post('/operators/0/fault', { kind: 'lie-data' })
    await task()
    await post('/operators/0/fault', { kind: 'refuse' })
    await task()
    const all = await reports()
    for (const each of all) expect(Value.Errors(OperatorReport, each).First()).toBeUndefined()
    expect(all.map(({ stake, registered }) => [stake, registered])).toEqual([
      ['40', true],
      ['30', true],
      ['20', true],
      ['10', true],
    ])
    const [liar, other] = all.map(({ activity }) => activity!)
    // All tasks of this set-up have one id: the latest of its signatures counts.
    expect(liar).toMatchObject({ agreed: 1, differed: 0, missed: 0 })
    expect(liar!.reported).toMatchObject({
      at: 5,
      outputs: ['{"feed":{"price":4000,"rate":2.20}}'],
    })
    expect(other!.reported!.outputs).toEqual(['{"feed":{"price":2000,"rate":1.10}}'])
    expect(other!.recent).toMatchObject([{ at: 5, ms: expect.any(Number), outcome: 'agreed' }])
    expect(other!.p50).toBeLessThanOrEqual(other!.p99!)
    expect(all[0]!.fault).toEqual({ kind: 'refuse' })
  })

  it('has no stakes while the node does not answer, and the rest', async () => {
    const failing = served({ operatorSet: () => Promise.reject(new Error('no node')) })
    const [first] = await failing.reports()
    expect(first).toMatchObject({ index: 0, running: true, stake: null, registered: null })
    const quorum = await failing.app.request('/operators/quorum')
    expect([quorum.status, await quorum.json()]).toEqual([
      503,
      expect.objectContaining({ error: 'the stakes cannot be read: the node does not answer' }),
    ])
  })
})

describe('GET /operators/quorum', () => {
  it('reports the quorum now, and without or with each operator', async () => {
    const { quorum, post } = served()
    const before = await quorum()
    expect(Value.Errors(QuorumReport, before).First()).toBeUndefined()
    expect(before).toMatchObject({
      ...{ quorumNumber: 0, threshold: 67, total: '100', required: '67' },
      now: { stake: '100', holds: true },
    })
    expect(before.operators.map(({ without }) => [without.stake, without.holds])).toEqual([
      ['60', false],
      ['70', true],
      ['80', true],
      ['90', true],
    ])
    await post('/operators/3/stop')
    await post('/operators/2/fault', { kind: 'lie-decision' })
    await post('/operators/1/fault', { kind: 'delay', delayMs: 100 })
    const after = await quorum()
    expect(after.now).toEqual({ stake: '70', holds: true })
    expect(after.operators[2]).toMatchObject({ counts: false, with: { stake: '90', holds: true } })
    expect(after.operators[1]).toMatchObject({ counts: true, without: { stake: '40' } })
  })

  it.each([
    ['?threshold=30', { threshold: 30, required: '30' }],
    ['?threshold=0', { threshold: 0, required: '0' }],
    ['?threshold=100', { threshold: 100, required: '100' }],
    ['?threshold=101', { error: 'threshold is a whole number from 0 to 100' }],
    ['?threshold=1.5', { error: 'threshold is a whole number from 0 to 100' }],
    ['?threshold=x', { error: 'threshold is a whole number from 0 to 100' }],
  ])('%s', async (query, expected) => {
    expect(await served().quorum(query)).toMatchObject(expected)
  })
})

describe('POST /operators/:index', () => {
  it.each([
    [{ kind: 'none' }, 200],
    [{ kind: 'refuse' }, 200],
    [{ kind: 'delay', delayMs: 60_000 }, 200],
    [{ kind: 'delay' }, 422],
    [{ kind: 'delay', delayMs: 0 }, 422],
    [{ kind: 'delay', delayMs: 60_001 }, 422],
    [{ kind: 'lie' }, 422],
    [{ kind: 'refuse', delayMs: 1 }, 422],
    ['refuse', 422],
    [undefined, 422],
  ])('fault %j', async (fault, status) => {
    const { post, reports } = served()
    expect((await post('/operators/1/fault', fault)).status).toBe(status)
    expect((await reports())[1]!.fault).toEqual(status === 200 ? fault : { kind: 'none' })
  })

  it.each(['4', '-1', '1.0', '99999999999'])('knows no operator %s', async (index) => {
    const { post } = served()
    for (const path of ['stop', 'start', 'fault'])
      expect((await post(`/operators/${index}/${path}`, { kind: 'none' })).status).toBe(404)
  })

  it('gives no fault to operators in processes of their own, which stop and start', async () => {
    const { post, reports } = served({ faults: undefined })
    const answer = await post('/operators/0/fault', { kind: 'refuse' })
    expect([answer.status, await answer.json()]).toEqual([
      422,
      {
        error:
          'only operators in the process of the stack take faults; others can be stopped and started',
        hint: 'Start the stack without --operator-processes.',
      },
    ])
    await post('/operators/0/stop')
    expect((await reports())[0]).toMatchObject({
      running: false,
      noFaults: expect.stringContaining('only operators in the process'),
    })
    await post('/operators/0/start')
    expect((await reports())[0]!.running).toBe(true)
  })
})
