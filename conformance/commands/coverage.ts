import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { clauseProofs } from '../proof/proof.ts'
import { readSummary } from '../proof/summary.ts'
import { coloursFor } from '../reports/colours.ts'
import { type ClauseSelection, selectClauses } from './selectClauses.ts'
import type { CommandIo } from './world.ts'

export type CoverageOptions = ClauseSelection & {
  readonly json?: boolean | undefined
  /** Only clauses that no mutant proves testable. */
  readonly gaps?: boolean | undefined
}

/** The first few names of a list. */
const some = (names: readonly string[], many = 3): string =>
  names.length <= many
    ? names.join(', ')
    : `${names.slice(0, many).join(', ')} and ${names.length - many} more`

/**
 * Prints clause × check × mutant. A clause with neither a check nor a reason, or a must-clause
 * whose checks never caught a mutant, is a gap: exit code 1.
 */
export function coverage(options: CoverageOptions, { stdout, env }: CommandIo): ExitCode {
  const proofs = clauseProofs(readSummary())
  const all = selectClauses(options).map((clause) => {
    const proof = proofs.get(clause.id)!
    const reasoned = clause.noCheck !== undefined
    const state =
      proof.checks.length === 0
        ? reasoned
          ? ('reason' as const)
          : ('unchecked' as const)
        : proof.killed.length > 0
          ? ('proven' as const)
          : ('unproven' as const)
    const gap = state === 'unchecked' || (state === 'unproven' && clause.level === 'must')
    return { ...clause, ...proof, state, gap }
  })
  const rows = options.gaps ? all.filter(({ gap }) => gap) : all
  const count = (state: string) => all.filter((row) => row.state === state).length
  const gaps = all.filter(({ gap }) => gap).length
  if (options.json) stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`)
  else {
    const c = coloursFor(stdout, env)
    const show = (text: string) => stdout.write(`${wrapText(text, outputWidth(stdout, env))}\n`)
    const colour = { proven: c.green, unproven: c.yellow, unchecked: c.red, reason: c.dim }
    for (const { id, level, open, text, state, noCheck, checks, mutants, killed } of rows) {
      show(
        `${id.padEnd(8)} ${(open ? 'open' : level).padEnd(6)} ${colour[state](state.padEnd(9))} ${text}`,
      )
      if (noCheck !== undefined) show(`         reason   ${noCheck}`)
      else {
        show(`         checks   ${checks.length}: ${some(checks)}`)
        show(
          `         mutants  ${killed.length} of ${mutants.length} caught${killed.length === 0 ? '' : `: ${some(killed)}`}`,
        )
      }
    }
    show(
      `${all.length} clauses: ${count('proven')} proven by mutants, ${count('unproven')} with checks only, ${count('reason')} with a written reason, ${count('unchecked')} with neither`,
    )
  }
  return gaps === 0 ? exitCode.conformant : exitCode.notConformant
}
