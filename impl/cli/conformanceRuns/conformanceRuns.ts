import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import {
  type ConformanceControl,
  RunInProgress,
  UnknownRun,
} from 'polgate-local/conformanceRoutes.ts'
import { writeStackFile } from 'polgate-local/stackFile.ts'
import type {
  ConformanceCounts,
  ConformanceRun,
  ConformanceSelection,
} from 'polgate-protocol/control/conformance.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { compareRuns } from './compareRuns.ts'
import { followRunLog, type RunLog } from './runLog.ts'
import { readRunRecords, removeOldRuns, runIdOf, writeRunRecord } from './runRecord.ts'
import { catalogueOf, countSelected, selectionArgs, shownCommand } from './selectedChecks.ts'
import { evidenceOf, shownEvidence, shownResult } from './shownEvidence.ts'
import { type SuiteEnd, type SuiteProcess, startSuiteProcess } from './suiteProcess.ts'

export type ConformanceRunsOptions = {
  /** Keeps runs there; by default they are gone when the stack ends. */
  readonly directory?: string | undefined
  /** Default: an hour. */
  readonly longestMs?: number | undefined
  /** Runs instead of `polgate`, for tests. */
  readonly script?: string | undefined
}

export type ConformanceRunsOfStack = ConformanceControl & {
  /** Says which stack it is: before that nothing can be started. */
  describe(stack: StackDescription): void
  /** Ends a run that is going on, and removes what is not to be kept. */
  close(): Promise<void>
}

const anHour = 3_600_000

/** Results in one answer. */
const longestPage = 500

type Going = { readonly process: SuiteProcess; readonly done: Promise<void> }

/**
 * Runs of the suite against the stack of this process, each in a process of its own. The event log and the
 * page of a run are in a directory that is named after it.
 */
export function conformanceRuns(options: ConformanceRunsOptions = {}): ConformanceRunsOfStack {
  const { longestMs = anHour, script } = options
  const cleanup = createCleanupStack()
  const logs = new Map<string, RunLog>()
  let stack: StackDescription | undefined
  let places: Promise<{ readonly runs: string; readonly target: string }> | undefined
  let known: readonly ConformanceRun[] | undefined
  let going: Going | undefined
  let starting = false

  /** The description has keys of development: it stays beside nothing that is kept. */
  async function makePlaces() {
    const temporary = await mkdtemp(join(tmpdir(), 'svc-conformance-'))
    cleanup.defer(() => rm(temporary, { recursive: true, force: true }))
    const runs = options.directory ?? join(temporary, 'runs')
    await mkdir(runs, { recursive: true })
    return { runs, target: join(temporary, 'stack.json') }
  }
  function placesOf() {
    places ??= makePlaces()
    return places
  }

  async function list(): Promise<readonly ConformanceRun[]> {
    known ??= await readRunRecords((await placesOf()).runs)
    return known
  }
  async function runOf(id: string): Promise<ConformanceRun> {
    const run = (await list()).find((each) => each.id === id)
    if (run === undefined)
      throw new UnknownRun('no such run', { hint: 'GET /conformance/runs lists them.' })
    return run
  }
  async function change(id: string, members: Partial<ConformanceRun>): Promise<ConformanceRun> {
    const run = { ...(await runOf(id)), ...members }
    known = (await list()).map((each) => (each.id === id ? run : each))
    return run
  }
  async function logOf({ id }: ConformanceRun): Promise<RunLog> {
    const log = logs.get(id) ?? followRunLog(join((await placesOf()).runs, id, 'events.ndjson'))
    logs.set(id, log)
    await log.refresh()
    return log
  }
  async function refreshed(id: string): Promise<ConformanceRun> {
    const run = await runOf(id)
    if (run.state !== 'running') return run
    const log = await logOf(run)
    const started = log.started()
    return await change(id, {
      counts: countsOf(log.results),
      ms: Date.now() - Date.parse(run.startedAt),
      ...(started === undefined ? {} : { seed: started.seed, planned: started.checks.length }),
    })
  }

  async function ended(id: string, end: SuiteEnd): Promise<void> {
    await refreshed(id)
    const { runs } = await placesOf()
    const state = stateOf(end)
    const verdict = state === 'finished' ? await wordsOf(join(runs, id)) : undefined
    const run = await change(id, {
      ...{ state, code: end.code, ...reasonOf(end) },
      ...(verdict === undefined ? {} : { verdict }),
    })
    going = undefined
    await writeRunRecord(runs, run)
  }

  async function start(selection: ConformanceSelection): Promise<ConformanceRun> {
    const { describedChecks } = await import('polgate-conformance/checks/described.ts')
    const planned = countSelected(describedChecks, selection)
    const { runs, target } = await placesOf()
    await writeStackFile(stack!, target)
    const startedAt = new Date()
    const run: ConformanceRun = {
      id: runIdOf(startedAt),
      startedAt: startedAt.toISOString(),
      state: 'running',
      selection,
      planned,
      counts: countsOf([]),
      ms: 0,
      command: shownCommand(selection, stack!.gatewayUrl),
    }
    known = [run, ...(await removeOldRuns(runs, await list()))]
    await writeRunRecord(runs, run)
    const place = join(runs, run.id)
    const suite = startSuiteProcess({
      args: [
        ...['certify', '--target', target, '--report-dir', place, '--report', 'html'],
        ...selectionArgs(selection),
      ],
      // Records of a run, which the suite keeps where it is started, belong to that run.
      cwd: place,
      longestMs,
      script,
    })
    going = { process: suite, done: suite.ended.then((end) => ended(run.id, end)) }
    return run
  }

  async function cancel(id: string): Promise<ConformanceRun> {
    const run = await runOf(id)
    if (run.state !== 'running' || going === undefined) return run
    const { process: suite, done } = going
    await suite.cancel()
    await done
    return await runOf(id)
  }

  async function wholeOf(id: string, wanted: string) {
    const run = await runOf(id)
    const log = await logOf(run)
    const seed = log.started()?.seed ?? ''
    const shown = log.results.map((result) => shownResult(result, seed))
    const name = shown.find((each) => each.id === wanted || each.replayId === wanted)?.id ?? wanted
    const whole = await log.whole(name)
    if (whole === undefined)
      throw new UnknownRun(`the run has no result of ${wanted}`, {
        hint: 'GET /conformance/runs/:id/events lists its results.',
      })
    return { whole, seed }
  }

  return {
    describe: (description) => {
      stack = description
    },
    async close() {
      await going?.process.cancel()
      await going?.done
      await cleanup.close()
    },
    async checks() {
      const { describedChecks } = await import('polgate-conformance/checks/described.ts')
      return catalogueOf(describedChecks)
    },
    async start(selection) {
      if (stack === undefined)
        throw new RunInProgress('the stack is still starting', { hint: 'Try again in a moment.' })
      if (going !== undefined || starting)
        throw new RunInProgress('another run is going on', {
          hint: 'Wait for its end, or cancel it: checks of two runs would disturb each other.',
        })
      starting = true
      try {
        return await start(selection)
      } finally {
        starting = false
      }
    },
    async runs() {
      const running = (await list()).find(({ state }) => state === 'running')
      if (running !== undefined) await refreshed(running.id)
      return await list()
    },
    async events(id, after) {
      const run = await refreshed(id)
      const log = await logOf(run)
      const some = log.results.slice(after, after + longestPage)
      const seed = log.started()?.seed ?? ''
      const results = some.map((result) => shownResult(result, seed))
      return { run, results, next: after + some.length }
    },
    async check(id, check) {
      const { whole, seed } = await wholeOf(id, check)
      return {
        result: shownResult(whole, seed),
        ...(seed === '' ? {} : { seed }),
        evidence: evidenceOf(whole).map(shownEvidence),
        dropped: whole.evidenceDropped,
      }
    },
    async groups(id) {
      const { failureGroups } = await import('polgate-conformance/reports/failureGroups.ts')
      const groups = failureGroups((await logOf(await runOf(id))).results)
      return {
        groups: groups.map(({ cause, results }) => ({
          cause,
          checks: results.map((result) => result.id),
        })),
      }
    },
    async page(id) {
      const { runs } = await placesOf()
      const file = join(runs, (await runOf(id)).id, 'report.html')
      return await readFile(file, 'utf8').catch(() => undefined)
    },
    async compare(before, after) {
      const [a, b] = [await logOf(await runOf(before)), await logOf(await runOf(after))]
      return await compareRuns(a.results, b.results)
    },
    cancel,
    async replay({ run, check, evidence }) {
      const { whole } = await wholeOf(run, check)
      const { chosenEvidence, sendAgain } = await import('./sendAgain.ts')
      return await sendAgain(chosenEvidence(evidenceOf(whole), evidence), stack!)
    },
  }
}

function countsOf(results: readonly Pick<CheckFinished, 'verdict'>[]): ConformanceCounts {
  const of = (verdict: string) => results.filter((each) => each.verdict === verdict).length
  return {
    passed: of('passed'),
    failed: of('failed'),
    untestable: of('untestable'),
    notApplicable: of('not-applicable'),
  }
}

function stateOf({ code, stopped }: SuiteEnd): ConformanceRun['state'] {
  if (stopped !== undefined) return stopped
  if (code === 130) return 'interrupted'
  return code === 0 || code === 1 || code === 3 ? 'finished' : 'failed'
}

/** The verdict of a log, as its reports word it. */
async function wordsOf(directory: string): Promise<string | undefined> {
  const { loadEvents } = await import('polgate-conformance/reports/readEvents.ts')
  const { reportOf } = await import('polgate-conformance/reports/report.ts')
  try {
    return reportOf(loadEvents(directory).events).summary.words
  } catch {
    // The process ended without a complete log.
    return undefined
  }
}

/** Only where it could not run: progress is no reason. */
const reasonOf = ({ code, stopped, complaint }: SuiteEnd): Partial<ConformanceRun> =>
  stopped === undefined && code === 2 ? { reason: complaint || 'it gave no reason' } : {}
