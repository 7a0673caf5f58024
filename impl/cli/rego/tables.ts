import { type CoverageReport, rowRanges } from 'polgate-rego/report/coverage.ts'
import type { ProfileLine } from 'polgate-rego/report/profile.ts'
import { fromJson } from 'polgate-rego/values/json.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import type { Value } from 'polgate-rego/values/value.ts'

/** Aligns columns, numbers to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
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

/** Coverage in the format of OPA: row ranges per file. */
export const coverageValue = ({ files, percent }: CoverageReport): Value =>
  RegoObject.from([
    ['coverage', percent],
    [
      'files',
      fromJson(
        Object.fromEntries(
          files.map((file) => [
            file.file,
            {
              covered: ranges(file.covered),
              not_covered: ranges(file.notCovered),
              coverage: file.percent,
            },
          ]),
        ),
      ),
    ],
  ])

const ranges = (rows: readonly number[]) => rows.map((row) => ({ start: { row }, end: { row } }))
