import { resolve } from 'node:path'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { RunEvent } from '../core/events.ts'
import { importModules } from '../own/importModules.ts'
import type { CertifyResult } from './certifyResult.ts'

/**
 * A reporter of a user: told of each event of the log while it is written, and of the result. An error in
 * it never changes the verdict; a run that would exit with 0 then exits with 2.
 */
export type Reporter = {
  /** In errors; the module's file name by default. */
  readonly name?: string
  readonly onEvent?: (event: RunEvent) => void | Promise<void>
  /** Called once, after the reports were written. At most a minute is waited for it, and for events before it. */
  readonly onEnd?: (result: CertifyResult) => void | Promise<void>
}

/** A reporter threw, or did not end. */
export class ReporterError extends AppError {}

const usualLongestMs = 60_000

function isReporter(value: unknown): value is Reporter {
  if (typeof value !== 'object' || value === null) return false
  const { onEvent, onEnd } = value as Reporter
  const methods = [onEvent, onEnd].filter((method) => method !== undefined)
  return methods.length > 0 && methods.every((method) => typeof method === 'function')
}

/** A module exports a reporter, or a function that makes one, as `default` or as `reporter`. */
async function loadReporter(place: string, cwd: string): Promise<Reporter> {
  const { modules, close } = await importModules([resolve(cwd, place)], cwd)
  try {
    const { exports } = modules[0]!
    const exported = exports.default ?? exports.reporter
    const value: unknown = typeof exported === 'function' ? await exported() : exported
    if (!isReporter(value))
      throw new CannotRun(
        `${place} exports no reporter`,
        'Export an object with onEvent or onEnd, or a function that returns one, as default.',
      )
    return { name: place, ...value }
  } finally {
    close()
  }
}

/** Tells reporters, and collects their errors. */
export type ReporterGroup = {
  readonly event: (event: RunEvent) => void
  readonly end: (result: CertifyResult) => Promise<readonly ReporterError[]>
}

/**
 * @param longestMs how long is waited for events at the end, and for each end
 * @throws CannotRun where a module cannot be loaded, or is no reporter
 */
export async function openReporters(
  given: readonly (Reporter | string)[],
  cwd: string,
  longestMs: number = usualLongestMs,
): Promise<ReporterGroup> {
  const reporters: Reporter[] = []
  for (const each of given)
    reporters.push(typeof each === 'string' ? await loadReporter(each, cwd) : each)
  const errors = new Map<Reporter, ReporterError>()
  const failed = (reporter: Reporter, cause: unknown) => {
    const what = cause instanceof Error ? cause.message : String(cause)
    const text = `reporter ${reporter.name ?? 'without a name'} failed: ${what.slice(0, 500)}`
    // The first error of each: a reporter that keeps failing repeats it.
    if (!errors.has(reporter)) errors.set(reporter, new ReporterError(text, { cause }))
  }
  const pending = new Map(reporters.map((reporter) => [reporter, new Set<Promise<void>>()]))
  const tell = (reporter: Reporter, run: () => void | Promise<void>) => {
    const own = pending.get(reporter)!
    const telling = new Promise<void>((resolve) => resolve(run()))
      .catch((error) => failed(reporter, error))
      .finally(() => own.delete(telling))
    own.add(telling)
    return telling
  }
  const late = (reporter: Reporter) =>
    failed(reporter, new Error(`it did not end within ${longestMs / 1000} s`))
  return {
    event: (event) => {
      // A copy: a reporter that changes it must not change the verdict.
      for (const reporter of reporters)
        if (reporter.onEvent !== undefined)
          tell(reporter, () => reporter.onEvent!(structuredClone(event)))
    },
    end: async (result) => {
      const all = [...pending.values()].flatMap((own) => [...own])
      await within(longestMs, Promise.all(all), () => {
        for (const [reporter, own] of pending) if (own.size > 0) late(reporter)
      })
      for (const reporter of reporters) {
        if (reporter.onEnd === undefined) continue
        const ending = tell(reporter, () => reporter.onEnd!(structuredClone(result)))
        await within(longestMs, ending, () => late(reporter))
      }
      return [...errors.values()]
    },
  }
}

async function within(ms: number, run: Promise<unknown>, late: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms)
  })
  await Promise.race([run, limit])
  clearTimeout(timer)
}
