import type { CheckFinished, Evidence, RunEvent } from '../core/events.ts'
import { sectionClauses } from '../register/clause.ts'

/** A small register, so that changes to the real one do not change the golden files. */
export const exampleClauses = [
  sectionClauses('2.5', { '13': 'A denied task is denied on chain too.' }),
  sectionClauses('4.1', {
    '02': 'The id of an answer is that of its request.',
    '12': { text: 'A batch of calls.', open: true },
  }),
  sectionClauses('4.2', {
    '02': 'A task that the policy allows ends in success.',
    '12': 'A threshold outside 0-100 is refused.',
    '13': { text: 'Threads of a gateway.', noCheck: 'nothing on the wire shows them' },
    '14': { text: 'A task of nobody’s policy is refused.', level: 'should' },
  }),
  sectionClauses('6.2', {
    '04': 'A notification is sent again after 100 ms.',
    '09': 'A reply of 4xx other than 429 ends the attempts.',
  }),
].flat()

const task = `0x${'5eed'.repeat(16)}`
const other = `0x${'0ff5'.repeat(16)}`

/** One exchange with an RPC endpoint, as a context records it. */
const exchange = (
  at: number,
  method: string,
  params: unknown,
  answer: unknown,
  ms = 12,
): Evidence => ({
  kind: 'exchange',
  at,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/rpc',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', method, params, id: '1' }),
    key: 'SVC_KEY_WRITE',
  },
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', ...(answer as object), id: '1' }),
  ms,
})

const webhook = (at: number, answered: number | null): Evidence => ({
  kind: 'webhook',
  at,
  path: '/f00d',
  headers: { 'content-type': 'application/json', 'x-idempotency-key': 'n-1' },
  body: JSON.stringify({ notification_id: 'n-1', task_id: task, failure_type: 'timeout' }),
  answered,
})

const frame = (at: number, from: 'gateway' | 'suite', value: unknown): Evidence => ({
  kind: 'frame',
  at,
  from,
  text: JSON.stringify(value),
})

/** One task on every surface: created, subscribed to, notified twice, read in the explorer. */
const wholeLife: readonly Evidence[] = [
  { kind: 'block', at: 95, number: 41 },
  exchange(100, 'svc_registerWebhook', { url: 'http://127.0.0.1:2/f00d' }, { result: {} }, 4),
  exchange(110, 'svc_sendTask', { timeout: 1 }, { result: { task_id: task } }, 31),
  frame(150, 'suite', { type: 'subscribe', id: 's', method: `service.task.${task}` }),
  frame(153, 'gateway', { type: 'subscribed', id: 's', subscription: 'x-1' }),
  frame(160, 'gateway', {
    type: 'update',
    subscription: 'x-1',
    result: { event: 'status_update', task_id: task, data: { progress: 50 } },
  }),
  { kind: 'block', at: 200, number: 42 },
  exchange(210, 'svc_sendTask', { timeout: 1 }, { result: { task_id: other } }, 9),
  frame(260, 'gateway', { type: 'update', subscription: 'x-1', result: { event: 'failure' } }),
  webhook(270, 500),
  webhook(371, 400),
  webhook(475, null),
  webhook(686, 200),
  {
    kind: 'exchange',
    at: 700,
    request: {
      method: 'GET',
      url: `http://127.0.0.1:3/v1/task/${task}`,
      headers: {},
      body: '',
      key: 'SVC_KEY_READ',
    },
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: task, error: 'Task timeout' }),
    ms: 15,
  },
]

const check = (
  change: Partial<CheckFinished> & Pick<CheckFinished, 'id' | 'verdict'>,
): CheckFinished => ({
  type: 'check-finished',
  title: 'a title',
  section: '4.2',
  clauses: ['4.2-12'],
  level: 'must',
  ms: 12,
  exchanges: 2,
  refusals: 0,
  at: 0,
  evidence: [],
  evidenceDropped: 0,
  ...change,
})

const results: readonly CheckFinished[] = [
  check({
    id: 'rpc.createTask.allow',
    title: 'a task that the policy allows succeeds',
    verdict: 'passed',
    clauses: ['4.2-02', '4.1-02'],
    evidence: [exchange(20, 'svc_createTask', { timeout: 60 }, { result: { status: 'success' } })],
    matrix: { tried: 7, of: 12 },
  }),
  check({
    id: 'rpc.createTask.params.threshold-101',
    title: 'createTask is refused when quorum_threshold_percentage is 101',
    verdict: 'failed',
    ms: 2310,
    at: 40,
    reason: 'the error object is wrong',
    call: 'svc_createTask',
    sent: '{"quorum_threshold_percentage":101} (key SVC_KEY_READ)',
    expected: '{"code":-32602,"message":"Invalid request format: a member"}',
    observed: '{"code":-32603,"message":"a <b> & ]]> \\"c\\"","data":[1]}',
    twin: { name: 'createTask with a valid value', accepted: true },
    counterexample: '{"threshold":101} (after 3 runs, path 2:0)',
    curl: `curl -s 'http://127.0.0.1:1/rpc' -H "authorization: Bearer $SVC_KEY_READ"`,
    evidence: [
      exchange(41, 'svc_createTask', { quorum_threshold_percentage: 67 }, { result: {} }),
      exchange(
        60,
        'svc_createTask',
        { quorum_threshold_percentage: 101 },
        {
          error: {
            code: -32603,
            message: '<script>alert(1)</script>',
            data: 'javascript:alert(1)',
          },
        },
      ),
    ],
    evidenceDropped: 31,
  }),
  check({
    id: 'webhook.retry.stops-on-4xx',
    title: 'a notification that was answered with 400 is not sent again',
    section: '6.2',
    clauses: ['6.2-09', '6.2-04'],
    verdict: 'failed',
    ms: 700,
    at: 95,
    exchanges: 4,
    reason: 'the number of attempts after a 400 is wrong',
    call: 'webhook /f00d',
    sent: 'svc_sendTask {"timeout":1} (key SVC_KEY_WRITE)',
    expected: '0 retries',
    observed: '2 retries at +104 ms, +211 ms',
    twin: { name: 'an attempt answered with 500 is repeated', accepted: true },
    evidence: wholeLife,
  }),
  check({
    id: 'rpc.createTask.unknown-policy',
    verdict: 'failed',
    level: 'should',
    clauses: ['4.2-14'],
    reason: 'the answer is wrong: \u0007 \ud800 \u202e',
    twin: { name: 'createTask with a known policy', accepted: false },
  }),
  check({
    id: 'chain.attestation.denied',
    verdict: 'untestable',
    section: '2.5',
    clauses: ['2.5-13'],
    exchanges: 0,
    ms: 0,
    reason: 'needs chain: the target has no RPC URL of its chain',
    lacks: ['chain'],
  }),
  check({
    id: 'rpc.quorum.killed.all',
    verdict: 'not-applicable',
    exchanges: 0,
    ms: 0,
    reason: 'operators of production are not stopped',
    lacks: ['operator-control'],
  }),
  check({
    id: 'rpc.batch.two',
    verdict: 'passed',
    level: 'may',
    section: '4.1',
    clauses: ['4.1-12'],
    observations: ['a batch of two gives an array of 2'],
  }),
]

const started: RunEvent = {
  type: 'run-started',
  version: 2,
  at: '2026-11-21T03:00:00.000Z',
  seed: '0x005eed42',
  effort: 1,
  target: 'http://127.0.0.1:1',
  targetFile: 'deploy/svc-target.yaml',
  gatewayUrl: 'http://127.0.0.1:1',
  suite: 'conformance 0.1.0',
  capabilities: ['key:read'],
  missing: {
    chain: 'the target has no RPC URL of its chain',
    'operator-control': 'declared as not applicable',
  },
  profiles: ['base', 'tasks', 'webhooks'],
  notClaimed: 12,
  waived: { 'operator-control': 'operators of production are not stopped' },
  checks: results.map(({ id, title, section, clauses, level }) => ({
    id,
    title,
    section,
    clauses,
    level,
  })),
}

/** A run with every verdict: the input of the golden reports. */
export const exampleRun: readonly RunEvent[] = [
  started,
  ...results,
  {
    type: 'run-finished',
    at: '2026-11-21T03:00:04.000Z',
    ms: 4000,
    interrupted: false,
    load: { begin: 1.5, end: 5.1, processors: 2 },
    code: 1,
    reason: '2 required checks failed',
  },
]

/** The same run, interrupted after its third check. */
export const interruptedRun: readonly RunEvent[] = [
  ...exampleRun.slice(0, 4),
  {
    type: 'run-finished',
    at: '2026-11-21T03:00:01.000Z',
    ms: 1000,
    interrupted: true,
    code: 130,
    reason: 'interrupted, 4 checks did not run',
  },
]

/** A run without findings, of the checks that passed, against a gateway that claims one profile. */
export const cleanRun: readonly RunEvent[] = (() => {
  const passed = results.filter(({ verdict }) => verdict === 'passed')
  const checks = started.checks.filter(({ id }) => passed.some((result) => result.id === id))
  const end = exampleRun.at(-1)!
  return [
    { ...started, profiles: ['base'], notClaimed: 14, waived: undefined, checks },
    ...passed,
    { ...end, code: 0, reason: undefined } as unknown as RunEvent,
  ].map((event) => JSON.parse(JSON.stringify(event)) as RunEvent)
})()

const oracleError = (task: string) =>
  `{"code":-32007,"message":"Oracle of ${task} failed","data":"cannot open its database"}`

/** A gateway whose oracles fail, and that ends during the run. */
export const outageRun: readonly RunEvent[] = (() => {
  const why = 'the connection was refused (ECONNREFUSED)'
  const reason = `the gateway stopped answering: ${why}`
  const lost = { verdict: 'untestable' as const, reason, ms: 0, exchanges: 0 }
  const some: readonly CheckFinished[] = [
    results[0]!,
    ...[task, other, task].map((id, i) =>
      check({
        id: `rpc.simulateTask.${i}`,
        title: `simulation ${i} succeeds`,
        verdict: 'failed',
        reason: `result ${i} is wrong`,
        call: 'svc_simulateTask',
        sent: `{"id":"${id}"} (key SVC_KEY_READ)`,
        expected: i === 0 ? 'a result' : '{"success":true}',
        observed: oracleError(id),
      }),
    ),
    check({
      ...lost,
      id: 'rpc.sendTask.first',
      outage: { at: 1_530, why },
      evidence: [
        exchange(1_490, 'svc_sendTask', { timeout: 1 }, { result: { task_id: task } }),
        {
          kind: 'unanswered',
          at: 1_510,
          request: {
            method: 'POST',
            url: 'http://127.0.0.1:1/rpc',
            headers: { 'content-type': 'application/json' },
            body: '{"jsonrpc":"2.0","method":"svc_sendTask","params":{"id":1},"id":"7"}',
            key: 'SVC_KEY_WRITE',
          },
          why: 'the connection was closed before the answer was complete (UND_ERR_SOCKET)',
          accepted: true,
          ms: 15,
          subject: true,
        },
      ],
    }),
    check({ ...lost, id: 'rpc.sendTask.second', outage: { at: 1_600, why } }),
  ]
  const checks = some.map(({ id, title, section, clauses, level }) => ({
    id,
    title,
    section,
    clauses,
    level,
  }))
  const end = exampleRun.at(-1)! as RunEvent & { type: 'run-finished' }
  return [
    { ...started, checks } as RunEvent,
    ...some,
    { ...end, reason: '3 required checks failed' },
  ]
})()
