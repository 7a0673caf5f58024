import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describedChecks } from 'polgate-conformance/checks/described.ts'
import { planned } from 'polgate-conformance/core/check.ts'
import {
  type CheckFinished,
  type Evidence,
  eventLogVersion,
  type PlannedCheck,
  type RunEvent,
} from 'polgate-conformance/core/events.ts'

const at = '2026-01-01T00:00:00.000Z'

/** As large as that of an average check of a run: four exchanges with an answer of a kilobyte each. */
const evidence: readonly Evidence[] = Array.from({ length: 4 }, (_, i) => ({
  kind: 'exchange',
  at: 10 * i,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/rpc',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      method: 'svc_createTask',
      params: { policy_client: `0x${'11'.repeat(20)}`, intent: { data: `0x${'5e'.repeat(70)}` } },
      id: i,
    }),
    key: 'SVC_KEY_READ',
  },
  status: 200,
  headers: { 'content-type': 'application/json', date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: i,
    result: {
      success: true,
      task: {
        members: Array.from({ length: 12 }, (_, n) => ({ n, hash: `0x${'a5'.repeat(20)}` })),
      },
    },
  }),
  ms: 5,
}))

const passed = (check: PlannedCheck): CheckFinished => ({
  type: 'check-finished',
  ...check,
  verdict: 'passed',
  ms: 50,
  exchanges: evidence.length,
  refusals: 0,
  at: 100,
  evidence,
  evidenceDropped: 0,
})

/** The logs of both shards of a run of all checks, about 7 MB; returns their directories. */
export function writeShardLogs(directory: string): readonly string[] {
  const checks = describedChecks.map(planned)
  return [0, 1].map((shard) => {
    const own = checks.filter((_, i) => i % 2 === shard)
    const events: readonly RunEvent[] = [
      {
        type: 'run-started',
        version: eventLogVersion,
        at,
        seed: '0x00000001',
        effort: 1,
        target: 'bench',
        gatewayUrl: 'http://127.0.0.1:1',
        suite: 'conformance 0.1.0',
        capabilities: [],
        missing: {},
        checks: own,
        shard: { index: shard + 1, count: 2, others: checks.filter((_, i) => i % 2 !== shard) },
      },
      ...own.map(passed),
      { type: 'run-finished', at, ms: 60_000, interrupted: false, code: 0 },
    ]
    const path = join(directory, `shard-${shard + 1}`)
    mkdirSync(path)
    const lines = events.map((event) => `${JSON.stringify(event)}\n`)
    writeFileSync(join(path, 'events.ndjson'), lines.join(''))
    return path
  })
}
