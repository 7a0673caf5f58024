import { counted } from 'polgate-lib/text/counted.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { describedChecks as checks } from '../checks/described.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { type ClauseSelection, selectClauses } from './selectClauses.ts'
import type { CommandIo } from './world.ts'

/** Lists the register: every normative statement of the specification. */
export function clauses(
  options: ClauseSelection & { readonly json?: boolean | undefined },
  { stdout, env }: CommandIo,
): ExitCode {
  const rows = selectClauses(options).map((clause) => ({
    ...clause,
    checks: checks.filter((check) => check.clauses.includes(clause.id)).map(({ id }) => id),
  }))
  if (options.json) {
    stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`)
    return exitCode.conformant
  }
  const show = (text: string) => stdout.write(`${wrapText(text, outputWidth(stdout, env))}\n`)
  for (const { id, level, open, text, noCheck, checks: citing } of rows) {
    const proof =
      noCheck === undefined
        ? `${citing.length} ${citing.length === 1 ? 'check' : 'checks'}`
        : `no check: ${noCheck}`
    show(`${id.padEnd(8)} ${(open ? 'open' : level).padEnd(6)} ${text} [${proof}]`)
  }
  const count = (level: string) => rows.filter((row) => row.level === level && !row.open).length
  show(
    `${counted(rows.length, 'clause')}: ${count('must')} must, ${count('should')} should, ${count('may')} may, ${rows.filter(({ open }) => open).length} open`,
  )
  return exitCode.conformant
}
