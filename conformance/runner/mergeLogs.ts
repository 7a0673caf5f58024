import { isDeepStrictEqual } from 'node:util'
import { CannotRun } from '../core/conformanceError.ts'
import type {
  CheckFinished,
  MachineLoad,
  PlannedCheck,
  RunEvent,
  RunFinished,
  RunStarted,
} from '../core/events.ts'
import { shiftResult } from '../core/lazyEvidence.ts'
import { exitCode } from '../core/verdict.ts'

/** The log of one shard, and its name in an error. */
export type PartLog = { readonly name: string; readonly events: readonly RunEvent[] }

type Part = {
  readonly name: string
  readonly started: RunStarted
  readonly results: readonly CheckFinished[]
  readonly finished: RunFinished | undefined
}

function partOf({ name, events }: PartLog): Part {
  const started = events.find((event) => event.type === 'run-started')
  if (started === undefined) throw new CannotRun(`${name} does not start with a run-started event`)
  return {
    name,
    started,
    results: events.filter((event) => event.type === 'check-finished'),
    finished: events.find((event) => event.type === 'run-finished'),
  }
}

const idsOf = (checks: readonly PlannedCheck[]) => checks.map(({ id }) => id).sort()

/** All checks of the run that a shard belongs to. */
const wholeOf = ({ checks, shard }: RunStarted): readonly PlannedCheck[] => [
  ...checks,
  ...(shard?.others ?? []),
]

/**
 * What shards of one run have in common. Addresses differ: each shard may have started its own
 * stack.
 */
const common: Readonly<Record<string, (started: RunStarted) => unknown>> = {
  version: ({ version }) => version,
  seed: ({ seed }) => seed,
  effort: ({ effort }) => effort,
  'full matrix': ({ fullMatrix }) => fullMatrix ?? false,
  suite: ({ suite }) => suite,
  target: ({ target }) => target,
  'claimed profiles': ({ profiles }) => profiles,
  'capabilities of the target': ({ capabilities }) => [...capabilities].sort(),
  'missing capabilities': ({ missing }) => Object.keys(missing).sort(),
  'number of shards': ({ shard }) => shard?.count,
  checks: (started) => idsOf(wholeOf(started)),
}

function expectSame(first: Part, other: Part): void {
  for (const [name, of] of Object.entries(common))
    if (!isDeepStrictEqual(of(first.started), of(other.started)))
      throw new CannotRun(
        `${first.name} and ${other.name} are not shards of one run: their ${name} differ`,
        'Run every shard with the same --seed, filters and target.',
      )
}

function expectDifferent(parts: readonly Part[]): void {
  const seen = new Map<number, string>()
  for (const { name, started } of parts) {
    if (started.shard === undefined)
      throw new CannotRun(`${name} is a whole run, not a shard`, 'Run it with --shard.')
    const { index, count } = started.shard
    const known = seen.get(index)
    if (known !== undefined)
      throw new CannotRun(`${known} and ${name} are the same shard, ${index} of ${count}`)
    seen.set(index, name)
  }
}

/** Of shards on several machines the one with the highest load counts. */
const busiest = ({ begin, end, processors }: MachineLoad) => Math.max(begin, end) / processors

/**
 * Merges the logs of the shards of one run, in order of time. Checks of a missing shard stay in the
 * plan and did not report. An incomplete or interrupted shard makes the whole run interrupted.
 *
 * @throws CannotRun if the logs are not of one run, or one is given twice
 */
export function mergeLogs(logs: readonly PartLog[]): readonly RunEvent[] {
  const parts = logs.map(partOf)
  const [first, ...others] = parts
  if (first === undefined) throw new CannotRun('no event log given')
  expectDifferent(parts)
  for (const other of others) expectSame(first, other)
  const begun = Math.min(...parts.map(({ started }) => Date.parse(started.at)))
  const { shard: _, ...started } = first.started
  const results = parts
    .flatMap((part) =>
      part.results.map((result) => shiftResult(result, Date.parse(part.started.at) - begun)),
    )
    .sort((a, b) => a.at + a.ms - (b.at + b.ms))
  const ends = parts.flatMap(({ finished }) => finished ?? [])
  const broken = ends.flatMap((end) => end.broken ?? [])
  const [load] = ends.flatMap((end) => end.load ?? []).sort((a, b) => busiest(b) - busiest(a))
  const [bail] = ends.flatMap((end) => end.bail ?? [])
  const lastEnd = Math.max(begun, ...ends.map(({ at }) => Date.parse(at)))
  return [
    {
      ...started,
      at: new Date(begun).toISOString(),
      checks: wholeOf(first.started).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    },
    ...results,
    {
      type: 'run-finished',
      at: new Date(lastEnd).toISOString(),
      ms: lastEnd - begun,
      interrupted: ends.length < parts.length || ends.some(({ interrupted }) => interrupted),
      ...(broken.length === 0 ? {} : { broken }),
      ...(load === undefined ? {} : { load }),
      ...(bail === undefined ? {} : { bail }),
      code: exitCode.inconclusive,
    },
  ]
}
