import { type CoverageReport, rowRanges } from 'polgate-rego/report/coverage.ts'
import type { ProfileLine } from 'polgate-rego/report/profile.ts'
import { fromJson } from 'polgate-rego/values/json.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import type { Value } from 'polgate-rego/values/value.ts'

/** Aligns columns, numbers to the right. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length)
    })
  }
  return rows.map((row) =>
    row
      .map((cell, i) =>
        /^[\d.]+( ms| %)?$/.test(cell)
          ? cell.padStart(widths[i] ?? 0)
          : cell.padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

const MAX_LINES = 20

export const profileTable = (lines: readonly ProfileLine[]): string[] =>
  table([
    ['time', 'evaluated', 'held', 'line'],
    ...lines
      .slice(0, MAX_LINES)
      .map(({ time, evaluations, passes, file, row, text }) => [
        `${time.toFixed(3)} ms`,
        String(evaluations),
        String(passes),
        `${file}:${row}  ${text.slice(0, 80)}`,
      ]),
  ])

export const coverageTable = ({ files, percent }: CoverageReport): string[] =>
  table([
    ['covered', 'file', 'lines never evaluated'],
    ...files.map((file) => [`${file.percent} %`, file.file, rowRanges(file.notCovered)]),
    [`${percent} %`, 'all', ''],
  ])

export const profileValue = (lines: readonly ProfileLine[]): Value =>
  fromJson(
    lines.map(({ file, row, time, evaluations, passes, text }) => ({
      location: { file, row },
      text,
      total_time_ns: Math.round(time * 1e6),
      num_eval: evaluations,
      num_pass: passes,
    })),
  )

/** Coverage in the format of OPA: ranges of rows, their numbers and the share of those covered. */
export const coverageValue = ({ files }: CoverageReport): Value =>
  RegoObject.from([
    ...linesOf(
      files.flatMap(({ covered }) => covered),
      files.flatMap(({ notCovered }) => notCovered),
    ),
    [
      'files',
      RegoObject.from(
        files.map(({ file, covered, notCovered }) => [
          file,
          RegoObject.from([
            ...linesOf(covered, notCovered),
            ...[
              ['covered', ranges(covered)] as const,
              ['not_covered', ranges(notCovered)] as const,
            ].filter(([, rows]) => rows.length > 0),
          ]),
        ]),
      ),
    ],
  ])

const linesOf = (
  covered: readonly number[],
  notCovered: readonly number[],
): (readonly [string, number])[] => [
  ['covered_lines', covered.length],
  ['not_covered_lines', notCovered.length],
  ['coverage', coveredShare(covered.length, notCovered.length)],
]

/** The share in percent as OPA computes it: not rounded, and 0 of nothing. */
export const coveredShare = (covered: number, missed: number): number =>
  covered + missed === 0 ? 0 : (100 * covered) / (covered + missed)

function ranges(rows: readonly number[]): readonly Value[] {
  const found: { start: number; end: number }[] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last !== undefined && row <= last.end + 1) last.end = row
    else found.push({ start: row, end: row })
  }
  return found.map(({ start, end }) => fromJson({ start: { row: start }, end: { row: end } }))
}
