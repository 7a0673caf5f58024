import { SETS } from './cases.ts'
import { type Gate, KNOWN, type Result } from './gates.ts'

export type SummaryOptions = {
  /** How many failures are printed in full. */
  readonly failures: number
  /** Whether to print categories in which all passed. */
  readonly all: boolean
}

/** The report of a run as lines of text. */
export const summary = (
  results: readonly Result[],
  gates: readonly Gate[],
  options: SummaryOptions,
): readonly string[] => [
  ...SETS.flatMap((set) => {
    const ofSet = results.filter((r) => r.case.set === set)
    return ofSet.length === 0 ? [] : [tally(set, ofSet), ...categories(ofSet, options.all)]
  }),
  ...texts(results),
  ...failures(results, options.failures),
  '',
  ...gates.map(gateLine),
]

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const count = (results: readonly Result[], status: Result['status']): number =>
  results.filter((r) => r.status === status).length

function tally(name: string, results: readonly Result[]): string {
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((status) =>
    String(count(results, status)).padStart(5),
  )
  return `${name.padEnd(40)}${passed} passed${failed} failed${skipped} skipped`
}

function categories(results: readonly Result[], all: boolean): string[] {
  const groups = groupBy(results, (r) => r.case.category)
  const lines: string[] = []
  for (const [name, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!all && group.every((r) => r.status === 'passed')) continue
    const reasons = groupBy(
      group.filter((r) => r.status === 'skipped'),
      (r) => r.reason ?? '',
    )
    const why = [...reasons].map(([reason, of]) => `${of.length} ${reason}`).join(', ')
    lines.push(tally(`  ${name}`, group) + (why === '' ? '' : ` (${why})`))
  }
  return lines
}

function texts(results: readonly Result[]): string[] {
  const asked = results.filter((r) => r.textMatches !== undefined)
  if (asked.length === 0) return []
  const right = asked.filter((r) => r.textMatches)
  return SETS.flatMap((set) => {
    const all = asked.filter((r) => r.case.set === set)
    if (all.length === 0) return []
    const matching = right.filter((r) => r.case.set === set).length
    return [`${set}: ${matching} of ${all.length} error texts as expected (not required)`]
  })
}

const clip = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)} ...` : text)

function failures(results: readonly Result[], limit: number): string[] {
  const failed = results.filter((r) => r.status === 'failed')
  const open = failed.filter((r) => KNOWN[r.case.id] === undefined)
  const known = failed.filter((r) => KNOWN[r.case.id] !== undefined)
  const hidden = open.length - Math.min(open.length, limit)
  return [
    ...open
      .slice(0, limit)
      .flatMap((r) => [
        '',
        `FAILED ${r.case.set} ${r.case.id} (${r.case.note})`,
        `  wanted ${clip(r.wanted ?? '')}`,
        `  got    ${clip(r.got ?? '')}`,
      ]),
    ...(hidden > 0 ? ['', `${hidden} more failures; print them with --failures N`] : []),
    ...(known.length > 0 ? ['', 'Failures with a reason:'] : []),
    ...known.map((r) => `  ${r.case.set} ${r.case.id}: ${KNOWN[r.case.id]}`),
  ]
}

function gateLine({ name, passed, total, known, required, holds }: Gate): string {
  const share = ((100 * passed) / total).toFixed(1)
  const excused = known > 0 ? `, ${known} with a reason` : ''
  return `${holds ? 'ok  ' : 'MISS'} ${name}: ${passed} of ${total}${excused} (${share} %, required ${required * 100} %)`
}
