import { isAscii, isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { CannotRun } from '../core/conformanceError.ts'
import { eventLogVersion, type RunEvent } from '../core/events.ts'
import { withEvidenceOf } from '../core/lazyEvidence.ts'
import { eventSchemas } from './eventSchema.ts'

/** A parsed event log. */
export type ReadEvents = {
  readonly events: readonly RunEvent[]
  /** The complete lines as UTF-8, unchanged: what a certificate covers. */
  readonly lines: readonly Buffer[]
  /** The last line is incomplete: the run was killed while writing it. */
  readonly truncated: boolean
}

/** The log of a run of 1,100 checks has 10 MB. */
const longestLog = 256 * 1024 * 1024

/** Compiled on first use: a whole run has thousands of observations. */
const validators = new Map<string, TypeCheck<TSchema>>()

function validatorOf(type: string): TypeCheck<TSchema> | undefined {
  if (!Object.hasOwn(eventSchemas, type)) return undefined
  const known = validators.get(type) ?? TypeCompiler.Compile(eventSchemas[type as RunEvent['type']])
  validators.set(type, known)
  return known
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function eventOf(value: unknown, number: number, name: string): RunEvent {
  const { type, version } = (value ?? {}) as { type?: unknown; version?: unknown }
  if (type === 'run-started' && version !== eventLogVersion)
    throw new CannotRun(
      `${name} is an event log of version ${String(version)}, and this suite reads version ${eventLogVersion}`,
      'Read it with the suite that wrote it, or run the checks again.',
    )
  const validator = typeof type === 'string' ? validatorOf(type) : undefined
  if (validator === undefined)
    throw new CannotRun(
      `line ${number} of ${name} is not an event of a run`,
      'An event log is the events.ndjson of a run.',
    )
  if (!validator.Check(value)) {
    const error = validator.Errors(value).First()
    throw new CannotRun(
      `line ${number} of ${name} is not a ${type} event: ${error?.path || 'it'} ${error?.message ?? 'is invalid'}`,
      'The log was changed, or written by another version of the suite.',
    )
  }
  return value as RunEvent
}

/** The lines, and what follows the last line break. */
function linesOf(log: Buffer): { readonly lines: Buffer[]; readonly rest: Buffer } {
  const lines: Buffer[] = []
  let from = 0
  for (let to = log.indexOf('\n'); to !== -1; to = log.indexOf('\n', from)) {
    lines.push(log.subarray(from, to))
    from = to + 1
  }
  return { lines, rest: log.subarray(from) }
}

/** The log as UTF-8: bytes that are none count as the character that stands for them. */
const utf8 = (log: string | Buffer): Buffer =>
  typeof log === 'string' || !isUtf8(log) ? Buffer.from(log.toString()) : log

export type ReadOptions = {
  /** Keeps the evidence of passed checks as bytes, and parses it when it is read. */
  readonly lean?: boolean
}

/**
 * Parses an event log (NDJSON). A truncated last line is skipped and reported; any
 * other invalid line is rejected, as is a log of another version.
 */
export function readEvents(
  log: string | Buffer,
  name = 'the log',
  options: ReadOptions = {},
): ReadEvents {
  const bytes = utf8(log)
  // The same text, decoded several times as fast.
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8'
  const { lines, rest } = linesOf(bytes)
  const whole = rest.length > 0 && parsed(rest.toString()) !== undefined
  if (whole) lines.push(rest)
  if (lines.length === 0)
    throw new CannotRun(`${name} contains no event`, 'The run ended before it wrote one.')
  const events = lines.map((line, i) => {
    const text = line.toString(encoding)
    const event = eventOf(parsed(text), i + 1, name)
    return options.lean && event.type === 'check-finished' && event.verdict === 'passed'
      ? withEvidenceOf(event, text, line)
      : event
  })
  if (events[0]?.type !== 'run-started')
    throw new CannotRun(
      `${name} does not start with a run-started event`,
      'Its first lines are missing.',
    )
  for (const [i, event] of events.entries())
    if (i > 0 && event.type === 'run-started')
      throw new CannotRun(`line ${i + 1} of ${name} starts another run`, 'Give one log at a time.')
  const end = events.findIndex((event) => event.type === 'run-finished')
  if (end !== -1 && end < events.length - 1)
    throw new CannotRun(
      `line ${end + 2} of ${name} comes after the end of the run`,
      'The log was modified.',
    )
  return { events, lines, truncated: rest.length > 0 && !whole }
}

/** Reads the log at a path: the file, or `events.ndjson` of a report directory. */
export function loadEvents(
  path: string,
  options: ReadOptions = {},
): ReadEvents & { readonly path: string } {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'events.ndjson') : path
  if (!existsSync(file))
    throw new CannotRun(
      `there is no event log ${file}`,
      existsSync(path)
        ? 'The directory has no events.ndjson: name that of a run (--report-dir).'
        : 'Name the events.ndjson of a run, or its directory: --report-dir of that run, or one of .svc/runs.',
    )
  let log: Buffer
  try {
    if (statSync(file).size > longestLog) throw new Error(`more than ${longestLog} bytes`)
    log = readFileSync(file)
  } catch (cause) {
    throw new CannotRun(
      `cannot read the event log ${file}: ${(cause as Error).message}`,
      'Give the events.ndjson of a run, or the directory that contains it.',
      cause,
    )
  }
  return { path: file, ...readEvents(log, file, options) }
}
