import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { type DiffProgram, shown } from './answers.ts'
import type { Engines } from './engines.ts'
import { NODE_KINDS } from './features.ts'
import { PROFILE_OF } from './here.ts'
import type { EntryFault } from './page.ts'
import type { Summary, Unlisted } from './search.ts'

type UnlistedReport = {
  readonly index: number
  readonly replay: string
  readonly peer: string
  readonly program: DiffProgram
  readonly answers: Readonly<Record<string, string>>
}

export type Report = {
  readonly seed: number
  readonly programs: number
  readonly seconds: number
  /** With versions; the programs were run in these. */
  readonly peers: readonly string[]
  /** Why a peer was not compared. */
  readonly missing: readonly string[]
  /** Programs, those tried to shrink others included, which an engine did not answer in time or at all. */
  readonly unanswered: Readonly<Record<string, number>>
  /** How often a peer was started again because of them. */
  readonly restarts: Readonly<Record<string, number>>
  /** Differences by the id of their entry on the page. */
  readonly listed: Readonly<Record<string, number>>
  readonly unlisted: readonly UnlistedReport[]
  readonly pageFaults: readonly EntryFault[]
  readonly builtins: {
    /** Programs by name. */
    readonly called: Readonly<Record<string, number>>
    readonly notCalled: readonly string[]
    /** Called, but never with a result here. */
    readonly neverAnswered: readonly string[]
  }
  readonly kinds: {
    readonly used: Readonly<Record<string, number>>
    readonly notUsed: readonly string[]
  }
}

type Parts = {
  readonly seed: number
  readonly summary: Summary
  readonly faults: readonly EntryFault[]
  readonly missing: readonly string[]
  readonly peers: readonly string[]
  readonly seconds: number
}

const sorted = (counts: Iterable<readonly [string, number]>): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))

/** Asks every engine for the programs that differ. */
export async function reportOf(engines: Engines, parts: Parts): Promise<Report> {
  const { summary, seed, faults, ...rest } = parts
  const unlisted: UnlistedReport[] = []
  for (const each of summary.unlisted) unlisted.push(await unlistedReport(engines, seed, each))
  const builtins = profileBuiltins(PROFILE_OF.opa)
  const names = [...builtins.keys()]
  const called = names.filter((name) => summary.calls.has(name))
  const answered = Object.values(engines.here).map((here) => here.answered)
  return {
    seed,
    ...rest,
    programs: summary.programs,
    unanswered: sorted(engines.unanswered),
    restarts: sorted(engines.restarts()),
    listed: sorted(summary.listed),
    unlisted,
    pageFaults: faults,
    builtins: {
      called: sorted(called.map((name) => [name, summary.calls.get(name)!] as const)),
      notCalled: names.filter((name) => !summary.calls.has(name)),
      // Operators are evaluated without a call.
      neverAnswered: called.filter(
        (name) =>
          builtins.get(name)?.infix === undefined && !answered.some((counts) => counts.has(name)),
      ),
    },
    kinds: {
      used: sorted(summary.kinds),
      notUsed: NODE_KINDS.filter((kind) => !summary.kinds.has(kind)),
    },
  }
}

/** The report for people. */
export function texts(report: Report): string {
  const { builtins, kinds, peers, missing } = report
  const lines = ['', `seed ${report.seed}: ${report.programs} programs in ${report.seconds} s`]
  lines.push(
    peers.length === 0 ? 'compared with no other engine' : `compared with ${peers.join(' and ')}`,
  )
  for (const each of missing) lines.push(`not compared with ${each}`)
  for (const [name, count] of Object.entries(report.unanswered)) {
    const times = report.restarts[name] ?? 0
    const again = times === 0 ? '' : ` (started again: ${times})`
    lines.push(`not compared: ${count} programs that ${name} did not answer${again}`)
  }
  const all = Object.keys(builtins.called).length
  lines.push(
    `built-ins: ${all} of ${all + builtins.notCalled.length} called${list(builtins.notCalled, 'not')}`,
  )
  if (peers.length > 0) {
    lines.push(
      `with a result: all but ${builtins.neverAnswered.length}${list(builtins.neverAnswered, 'not')}`,
    )
  }
  const used = Object.keys(kinds.used).length
  lines.push(
    `kinds of syntax: ${used} of ${used + kinds.notUsed.length} used${list(kinds.notUsed, 'not')}`,
  )
  const counts = Object.entries(report.listed).sort(([, a], [, b]) => b - a)
  if (counts.length > 0) lines.push('differences on the page (impl/rego/DIFFERENCES.md):')
  for (const [id, count] of counts) lines.push(`  ${String(count).padStart(6)} ${id}`)
  for (const { id, peer, page, answer } of report.pageFaults) {
    lines.push(`entry ${id}: the page says of ${peer}: ${page}`, `  but ${peer} answers: ${answer}`)
  }
  if (report.peers.length > 0) {
    lines.push('', `${report.unlisted.length} unlisted differences`)
  }
  return lines.join('\n')
}

const list = (names: readonly string[], word: string): string =>
  names.length === 0 ? '' : ` (${word}: ${names.join(', ')})`

async function unlistedReport(
  engines: Engines,
  seed: number,
  { index, peer, program }: Unlisted,
): Promise<UnlistedReport> {
  const answers = Object.entries(await engines.all(program))
  return {
    index,
    replay: `npm run diff:rego -- --seed ${seed} --only ${index}`,
    peer,
    program,
    answers: Object.fromEntries(answers.map(([name, each]) => [name, shown(each)])),
  }
}

/** An unlisted difference for people. */
export async function unlistedText(
  engines: Engines,
  seed: number,
  found: Unlisted,
): Promise<string> {
  const { peer, program, answers, replay } = await unlistedReport(engines, seed, found)
  const { modules, query, input, data, strict } = program
  return [
    `-- unlisted difference from ${peer}`,
    ...modules.map(({ name, source }) => `# ${name}\n${source.trimEnd()}`),
    `query ${query}${strict ? ', strict' : ''}`,
    ...(input === undefined ? [] : [`input ${input}`]),
    ...(data === undefined ? [] : [`data ${data}`]),
    ...Object.entries(answers).map(([name, answer]) => `${name}: ${answer}`),
    `${replay}\n`,
  ].join('\n')
}
