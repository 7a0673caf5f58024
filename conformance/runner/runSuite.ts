import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestCase } from 'vitest/node'
import { startVitest } from 'vitest/node'
import type { Check } from './check.ts'
import type { CheckFinished } from './events.ts'
import { nothingSeen, planned } from './execute.ts'
import type { SessionOptions } from './session.ts'

/** What the worker that runs the checks is told. */
export type SuiteInput = Pick<
  SessionOptions,
  'target' | 'seed' | 'effort' | 'missing' | 'begunAt'
> & {
  readonly selected: readonly string[]
}

export type RunSuiteOptions = Omit<SuiteInput, 'selected'> & {
  readonly checks: readonly Check[]
  /** Checks under way at a time. */
  readonly concurrency: number
  /** End after this many failures of required checks. */
  readonly bail: number | undefined
  readonly onResult: (result: CheckFinished) => void
  readonly signal: AbortSignal
}

export type SuiteRun = {
  /** Errors outside any check: the suite itself is broken. */
  readonly errors: readonly string[]
  /** Ended before its last check: by the signal or by `bail`. */
  readonly stopped: boolean
}

const root = fileURLToPath(new URL('.', import.meta.url))

const signals = ['SIGINT', 'SIGTERM'] as const

const silence = () => {
  const stream = new PassThrough()
  stream.resume()
  return stream as unknown as NodeJS.WriteStream
}

/**
 * Runs the checks on vitest in one worker thread, beside the process that holds a local stack, and
 * reports each as it ends.
 */
export const runSuite = async (options: RunSuiteOptions): Promise<SuiteRun> => {
  const byId = new Map(options.checks.map((check) => [check.id, check]))
  // A cancelled run may tell of the same check twice.
  const told = new Set<string>()
  let failures = 0
  let stopped = false
  let stop = () => {
    stopped = true
  }
  const reporter: Reporter = {
    onTestCaseResult: (testCase: TestCase) => {
      const outcome = testCase.meta().outcome
      const check = byId.get(testCase.name)
      if (told.has(testCase.name)) return
      if (outcome === undefined) {
        // Cancelled before it began: it did not report, and counts as such.
        if (testCase.result().state !== 'failed' || check === undefined) return
        const reason = testCase.result().errors?.[0]?.message ?? 'the check crashed'
        told.add(testCase.name)
        options.onResult({
          type: 'check-finished',
          ...planned(check),
          verdict: 'failed',
          ms: 0,
          reason,
          ...nothingSeen(0),
        })
      } else {
        told.add(testCase.name)
        options.onResult(outcome)
      }
      if (outcome?.verdict === 'failed' && outcome.level === 'must') failures++
      if (options.bail !== undefined && failures >= options.bail) stop()
    },
  }
  const input: SuiteInput = {
    target: options.target,
    seed: options.seed,
    effort: options.effort,
    missing: options.missing,
    ...(options.begunAt === undefined ? {} : { begunAt: options.begunAt }),
    selected: options.checks.map((check) => check.id),
  }
  const exitCodeBefore = process.exitCode
  // vitest ends the process on a signal; here a signal ends the run, and a report is written.
  const listenersBefore = new Map(signals.map((name) => [name, process.listeners(name)]))
  const running = startVitest(
    'test',
    [],
    {
      config: false,
      root,
      include: ['certification.suite.ts'],
      watch: false,
      pool: 'threads',
      maxWorkers: 1,
      isolate: false,
      maxConcurrency: options.concurrency,
      testTimeout: 240_000,
      reporters: [
        {
          ...reporter,
          onInit: (vitest) => {
            for (const name of signals)
              for (const listener of process.listeners(name))
                if (!listenersBefore.get(name)?.includes(listener)) process.off(name, listener)
            stop = () => {
              stopped = true
              void vitest.cancelCurrentRun('test-failure')
            }
            options.signal.addEventListener('abort', stop, { once: true })
            if (options.signal.aborted) stop()
          },
        },
      ],
      provide: { suiteInput: input },
    },
    {},
    { stdout: silence(), stderr: silence() },
  )
  const vitest = await running
  try {
    const errors = vitest.state.getUnhandledErrors().map((error) => {
      const message = (error as { message?: unknown } | undefined)?.message
      return typeof message === 'string' ? message : String(error)
    })
    const moduleErrors = vitest.state
      .getTestModules()
      .flatMap((module) => module.errors().map((error) => error.message))
    return { errors: [...errors, ...moduleErrors], stopped }
  } finally {
    options.signal.removeEventListener('abort', stop)
    await vitest.close()
    // The verdict of the run is ours to give: vitest sets 1 for every failed test.
    process.exitCode = exitCodeBefore
  }
}
