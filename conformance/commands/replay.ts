import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { counted } from 'polgate-lib/text/counted.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { CheckFinished, PlannedCheck, RunEvent, RunStarted } from '../core/events.ts'
import { replayId, replayIdPattern } from '../core/replayId.ts'
import { nearest } from '../core/select.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { counterexamplesFolder } from '../fixtures/counterexample.ts'
import { curlLines } from '../fixtures/curlLines.ts'
import { environmentOf, replaySecrets } from '../fixtures/environment.ts'
import { reportedOf } from '../fixtures/fixture.ts'
import { type LoadedFixture, loadFixtures } from '../fixtures/loadFixtures.ts'
import { type ReplayResult, replayFixture, type StepResult } from '../fixtures/replay.ts'
import { coloursFor } from '../reports/colours.ts'
import { loadEvents } from '../reports/readEvents.ts'
import { type PrepareOptions, prepareTarget } from '../targets/prepare.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { redactJson, redactor } from '../wire/redact.ts'
import { type CertifyOptions, certify } from './certify.ts'
import { type RunRecord, type RunSettings, runsIn } from './runRecords.ts'
import type { CommandIo } from './world.ts'

export type ReplayCommandOptions = PrepareOptions & {
  /** Fixtures, folders of fixtures, or the replay id of one failure. */
  readonly what: readonly string[]
  /** The event log that contains a replay id; by default those of the runs of this directory. */
  readonly events?: string | undefined
  /** The saved counterexample instead of the check. */
  readonly counterexample?: boolean | undefined
  /** Only prints the requests as shell lines. */
  readonly curl?: boolean | undefined
  readonly windowMs?: number | undefined
  readonly json?: boolean | undefined
}

/**
 * Sends fixtures again, or reruns the check of a replay id. Exit code 0 as recorded, 1 different, 2
 * could not run.
 */
export async function replay(options: ReplayCommandOptions, world: CommandIo): Promise<ExitCode> {
  const [id] = options.what
  if (id !== undefined && replayIdPattern.test(id) && !existsSync(resolve(world.cwd, id))) {
    if (options.what.length > 1) throw new CannotRun('more than one replay id given')
    return replayOfId(id, options, world)
  }
  return replayOfFiles(loadFixtures(options.what, world.cwd), options, world)
}

type LoggedRun = {
  readonly path: string
  readonly events: readonly RunEvent[]
  readonly started: RunStarted
  readonly settings: RunSettings | undefined
}

function loggedRun(log: string, settings: RunSettings | undefined): LoggedRun {
  const { events, path } = loadEvents(log)
  const started = events.find((event): event is RunStarted => event.type === 'run-started')!
  return { path, events, started, settings }
}

/** A run of this directory may have been killed while it wrote its log. */
function readableRun({ events, settings }: RunRecord): LoggedRun | undefined {
  try {
    return loggedRun(events, settings)
  } catch (error) {
    if (error instanceof CannotRun) return undefined
    throw error
  }
}

/** One after the other: the first of them is nearly always the one. */
function* loggedRuns(events: string | undefined, cwd: string): Iterable<LoggedRun> {
  const recorded = runsIn(cwd)
  if (events === undefined) {
    for (const record of recorded) {
      const run = readableRun(record)
      if (run !== undefined) yield run
    }
    return
  }
  const run = loggedRun(resolve(cwd, events), undefined)
  const known = recorded.find((record) => record.events === run.path)
  yield { ...run, settings: known?.settings }
}

const plannedIn = ({ started }: LoggedRun, id: string): PlannedCheck | undefined =>
  started.checks.find((planned) => replayId(planned.id, started.seed) === id)

/**
 * The run that a replay id is of: the one of the given log, else the newest of this directory with
 * such a check, wherever its reports are.
 */
function runOf(
  id: string,
  events: string | undefined,
  cwd: string,
): { readonly run: LoggedRun; readonly check: PlannedCheck } {
  const ids: string[] = []
  for (const run of loggedRuns(events, cwd)) {
    const check = plannedIn(run, id)
    if (check !== undefined) return { run, check }
    ids.push(...run.started.checks.map((each) => replayId(each.id, run.started.seed)))
  }
  if (ids.length === 0)
    throw new CannotRun(
      'no run was started in this directory',
      'Give its event log: --events FILE.',
    )
  throw new CannotRun(
    `no check of ${events ?? 'the runs of this directory'} has the replay id '${id}'`,
    `Did you mean '${nearest(id, ids)}'? A run of another directory is named by --events FILE.`,
  )
}

async function replayOfId(id: string, options: ReplayCommandOptions, world: CommandIo) {
  const { run, check } = runOf(id, options.events, world.cwd)
  const { path, events, started, settings } = run
  if (options.curl) {
    const found = events.find(
      (event): event is CheckFinished => event.type === 'check-finished' && event.id === check.id,
    )
    if (found?.curl === undefined) throw new CannotRun(`${check.id} has no recorded exchange`)
    world.stdout.write(`${found.curl}\n`)
    return exitCode.conformant
  }
  const saved = join(dirname(path), counterexamplesFolder, `${id}.fixture`)
  const place = placeOf(options, run, world)
  if (options.counterexample) {
    if (!existsSync(saved))
      throw new CannotRun(`${check.id} has no counterexample`, 'Only properties have one.')
    return replayOfFiles(loadFixtures([saved], world.cwd), { ...options, ...place }, world)
  }
  const certifyOptions: CertifyOptions = {
    ...place,
    checks: check.own === undefined ? undefined : settings?.checks,
    timeout: settings?.timeout,
    requestTimeout: settings?.requestTimeout,
    seed: started.seed,
    effort: started.effort,
    fullMatrix: started.fullMatrix,
    grep: [`^${check.id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`],
    repeats: 'a replay',
  }
  return certify(certifyOptions, world)
}

/** The target of a replay: the given one, else that of the run. */
function placeOf(
  options: ReplayCommandOptions,
  { started, settings }: LoggedRun,
  { env }: CommandIo,
): PrepareOptions {
  const { target, targetFile, explorerUrl, limits } = options
  if (target !== undefined || targetFile !== undefined || env.SVC_TARGET)
    return { target, targetFile, explorerUrl, limits }
  const known = settings ?? { target: started.target }
  return { ...known, explorerUrl: explorerUrl ?? known.explorerUrl, limits: limits ?? known.limits }
}

const marks = { ok: '✓', changed: '✗', error: '!' } as const

async function replayOfFiles(
  loaded: readonly LoadedFixture[],
  options: ReplayCommandOptions,
  world: CommandIo,
): Promise<ExitCode> {
  const { stdout, stderr, env, cwd, signal } = world
  if (options.curl) {
    for (const { fixture } of loaded)
      for (const line of curlLines(fixture)) stdout.write(`${line}\n`)
    return exitCode.conformant
  }
  const colours = coloursFor(stdout, env)
  const paint = { ok: colours.green, changed: colours.red, error: colours.yellow }
  const { target, close } = await prepareTarget(options, world, (text) => stderr.write(`${text}\n`))
  const redact = redactor(replaySecrets(target, env))
  const results: {
    readonly file: string
    readonly code: ExitCode
    readonly result: ReplayResult
  }[] = []
  try {
    for (const { file, fixture } of loaded) {
      const name = relative(cwd, file)
      if (!options.json) stdout.write(`${name}\n`)
      const result = await replayFixture(fixture, {
        target,
        environment: environmentOf(target, env, dirname(file)),
        fetch: freshFetch,
        signal,
        windowMs: options.windowMs,
        onStep: (step) => {
          if (!options.json) stdout.write(redact(lineOf(step, paint[step.status])))
        },
      })
      const expected = reportedOf(fixture, 'expected')
      const code = codeOf(result, expected !== undefined)
      results.push({ file: name, code, result })
      if (expected !== undefined && !options.json && result.status !== 'error')
        stdout.write(
          result.status === 'ok'
            ? `  the fault is still present: expected ${expected}\n`
            : `  the fault did not recur as recorded: expected ${expected}\n  polgate replay ${replayId(fixture.header.check ?? '', fixture.header.seed ?? '')} gives the verdict\n`,
        )
    }
  } finally {
    await close()
  }
  if (signal.aborted) return exitCode.interrupted
  if (options.json)
    stdout.write(`${JSON.stringify(redactJson(results.map(jsonOf), redact), undefined, 2)}\n`)
  const codes = results.map(({ code }) => code)
  if (!options.json)
    stdout.write(
      `${codes.filter((code) => code === 0).length} of ${counted(codes.length, 'fixture')} passed\n`,
    )
  return codes.includes(2)
    ? exitCode.couldNotRun
    : codes.includes(1)
      ? exitCode.notConformant
      : exitCode.conformant
}

/**
 * A recording passes if nothing changed. A counterexample records a fault: it passes if the target
 * now behaves differently, and fails if the fault recurs.
 */
export function codeOf({ status }: ReplayResult, counterexample: boolean): ExitCode {
  if (status === 'error') return exitCode.couldNotRun
  return (status === 'changed') === counterexample ? exitCode.conformant : exitCode.notConformant
}

const jsonOf = ({ file, result }: { file: string; result: ReplayResult }) => ({
  file,
  status: result.status,
  steps: result.steps.map(({ observed: _, ...step }) => step),
})

function lineOf(step: StepResult, paint: (text: string) => string): string {
  const head = `  ${paint(marks[step.status])} line ${step.line} ${step.what}`
  const reason = step.reason === undefined ? '' : `: ${step.reason}`
  const rows = step.differences.map(
    ({ path, expected, observed }) =>
      `\n      ${path}\n        expected ${expected}\n        observed ${observed}`,
  )
  const why =
    step.after === undefined
      ? ''
      : `\n      may follow from line ${step.after.line}, which was not sent: ${step.after.reason}`
  return `${head}${reason}${rows.join('')}${why}\n`
}
