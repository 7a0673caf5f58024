import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect, test } from 'vitest'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { earlierRun } from './lastRun.ts'
import { recordRun } from './runRecords.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'svc-last-run-'))
  cleanup.defer(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const [started] = exampleRun as readonly [RunEvent & { type: 'run-started' }, ...RunEvent[]]
const [finished] = exampleRun.filter(
  (event): event is CheckFinished => event.type === 'check-finished',
)

type Verdicts = Readonly<Record<string, 'passed' | 'failed'>>
type RunOptions = { readonly seed: string; readonly of?: number; readonly target?: string }

/** Records runs in their order, a minute apart. */
function runsOf(cwd: string) {
  let minute = 0
  return (verdicts: Verdicts, { seed, of, target = 'one' }: RunOptions) => {
    const startedAt = new Date(Date.UTC(2026, 0, 1, 0, minute++))
    const settings = { target }
    const place = recordRun({ cwd, startedAt, directory: undefined, isReplay: false, settings })
    const checks = Object.keys(verdicts).map((id) => ({ ...started.checks[0]!, id }))
    const events = [
      { ...started, seed, target, checks, ...(of === undefined ? {} : { of }) },
      ...Object.entries(verdicts).map(([id, verdict]) => ({ ...finished!, id, verdict })),
    ]
    writeFileSync(
      join(place, 'events.ndjson'),
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    )
  }
}
const failures = (cwd: string) => earlierRun({ onlyFailed: true }, cwd)

test('the failures of the last full run are kept by runs of some checks after it', async () => {
  const cwd = temporary()
  const run = runsOf(cwd)
  run({ a: 'failed' }, { seed: '0x00000001' })
  run({ a: 'passed', b: 'failed', c: 'failed', d: 'failed' }, { seed: '0x00000002' })
  run({ a: 'passed' }, { seed: '0x00000003', of: 4 })
  expect(await failures(cwd)).toEqual({ ids: ['b', 'c', 'd'], seed: '0x00000002' })
  // Repaired since, and broken since.
  run({ a: 'failed', b: 'passed' }, { seed: '0x00000004', of: 4 })
  expect(await failures(cwd)).toEqual({ ids: ['a', 'c', 'd'], seed: '0x00000002' })
  run({ a: 'passed', c: 'passed', d: 'passed' }, { seed: '0x00000002', of: 4 })
  await expect(failures(cwd)).rejects.toThrow('no check failed')
})

test('a run on another target has failures of its own', async () => {
  const cwd = temporary()
  const run = runsOf(cwd)
  run({ a: 'failed', b: 'passed' }, { seed: '0x00000001' })
  run({ b: 'failed' }, { seed: '0x00000002', of: 2, target: 'two' })
  expect(await failures(cwd)).toEqual({ ids: ['b'], seed: '0x00000002' })
  run({ b: 'passed' }, { seed: '0x00000003', of: 2 })
  expect(await failures(cwd)).toEqual({ ids: ['a'], seed: '0x00000001' })
})
