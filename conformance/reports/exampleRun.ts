import type { CheckFinished, RunEvent } from '../runner/events.ts'

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
  check({ id: 'rpc.createTask.allow', verdict: 'passed', clauses: ['4.2-02'] }),
  check({
    id: 'rpc.createTask.params.threshold-101',
    title: 'createTask is refused when quorum_threshold_percentage is 101',
    verdict: 'failed',
    ms: 2310,
    reason: 'the error code is wrong',
    expected: '-32602',
    observed: '{"code":-32603,"message":"a <b> & \u0007 \\"c\\""}',
    twin: { name: 'createTask with that member right', accepted: true },
    counterexample: '{"threshold":101} (after 3 runs, path 2:0)',
    curl: `curl -s 'http://127.0.0.1:1/rpc' -H "authorization: Bearer $SVC_KEY_READ"`,
  }),
  check({
    id: 'chain.attestation.denied',
    verdict: 'untestable',
    section: '2.5',
    clauses: ['2.5-13'],
    reason: 'needs chain: the target names no node of its chain',
  }),
  check({
    id: 'rpc.quorum.killed.all',
    verdict: 'not-applicable',
    reason: 'operators of production are not stopped',
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

/** A run of five checks that came to every verdict: what the golden texts of reports are made of. */
export const exampleRun: readonly RunEvent[] = [
  {
    type: 'run-started',
    version: 2,
    at: '2026-11-21T03:00:00.000Z',
    seed: '0x005eed42',
    effort: 1,
    target: 'http://127.0.0.1:1',
    gatewayUrl: 'http://127.0.0.1:1',
    suite: 'conformance 0.1.0',
    capabilities: ['key:read'],
    missing: { chain: 'the target names no node of its chain' },
    checks: results.map(({ id, title, section, clauses, level }) => ({
      id,
      title,
      section,
      clauses,
      level,
    })),
  },
  ...results,
  {
    type: 'run-finished',
    at: '2026-11-21T03:00:04.000Z',
    ms: 4000,
    interrupted: false,
    code: 1,
    reason: '1 required checks failed',
  },
]
