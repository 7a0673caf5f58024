import { describedChecks as checks } from '../checks/described.ts'
import type { CheckInfo } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { readTranscripts } from '../explain/transcript.ts'
import { clauseProofs } from '../proof/proof.ts'
import { type MutantRecord, type RecordedMutant, readRecord } from '../proof/record.ts'
import { clauses as register } from '../register/register.ts'
import { type Colours, coloursFor } from '../reports/colours.ts'
import type { CommandWorld } from './world.ts'

/** Mutants shown for a check that fails on them. */
const toldMutants = 5

const clauseLines = (ids: readonly string[], c: Colours) =>
  ids.flatMap((id) => {
    const clause = register.find((each) => each.id === id)
    if (clause === undefined) return []
    const level = clause.open ? 'open' : clause.level
    const silent = clause.open ? ['         open in the specification: observed, not judged'] : []
    return [`  ${c.bold(id.padEnd(8))} ${level.padEnd(6)} ${clause.text}`, ...silent]
  })

const sampleLines = ({ sample }: RecordedMutant, c: Colours): readonly string[] => {
  if (sample === undefined) return []
  const { id, reason, expected, observed, counterexample, curl } = sample
  return [
    `    ${id}: ${reason ?? ''}`,
    ...(expected === undefined ? [] : [`    expected ${c.green(expected)}`]),
    ...(observed === undefined ? [] : [`    observed ${c.red(observed)}`]),
    ...(counterexample === undefined ? [] : [`    with     ${counterexample}`]),
    ...(curl === undefined ? [] : [`    curl     ${c.dim(curl)}`]),
  ]
}

const killersOf = (id: string, record: MutantRecord) =>
  Object.entries(record.mutants).filter(([, { failed }]) => failed.includes(id))

const explainCheck = (check: CheckInfo, record: MutantRecord, c: Colours): readonly string[] => {
  const turns = readTranscripts()[check.id] ?? []
  const killers = killersOf(check.id, record)
  // Those whose sample is this check first: they show how it fails.
  const told = [...killers].sort(
    ([, a], [, b]) => Number(b.sample?.id === check.id) - Number(a.sample?.id === check.id),
  )
  const refused =
    check.twin === undefined
      ? []
      : [
          `Twin     ${check.twin}: must be accepted in the same run, otherwise the refusal proves nothing`,
        ]
  return [
    c.bold(check.id),
    check.title,
    '',
    `Level    ${check.level}`,
    ...refused,
    `Needs    ${check.needs.length === 0 ? 'only the gateway' : check.needs.join(', ')}`,
    ...(check.exclusive ? ['Alone    it changes state that other checks rely on'] : []),
    '',
    'Clauses',
    ...clauseLines(check.clauses, c),
    '',
    ...(turns.length === 0
      ? []
      : [
          'Passes on the reference implementation',
          ...turns.flatMap(({ asked, answered }) => [`  > ${asked}`, `  < ${answered}`]),
          '',
        ]),
    killers.length === 0
      ? 'Fails on none of the mutants it was run against'
      : `Fails on ${killers.length} ${killers.length === 1 ? 'mutant' : 'mutants'}`,
    ...told
      .slice(0, toldMutants)
      .flatMap(([id, mutant]) => [
        `  ${id}: ${mutant.fault}`,
        ...(mutant.sample?.id === check.id ? sampleLines(mutant, c) : []),
      ]),
    ...(killers.length > toldMutants ? [`  and ${killers.length - toldMutants} more`] : []),
    '',
    `Run      svc run local --grep '^${check.id.replaceAll('.', '\\.')}$'`,
  ]
}

const explainClause = (id: string, record: MutantRecord, c: Colours): readonly string[] => {
  const clause = register.find((each) => each.id === id)!
  const proof = clauseProofs(record).get(id)!
  return [
    ...clauseLines([id], c),
    '',
    ...(clause.noCheck === undefined ? [] : [`No check: ${clause.noCheck}`]),
    ...(proof.checks.length === 0 ? [] : ['Checks', ...proof.checks.map((each) => `  ${each}`)]),
    ...(proof.mutants.length === 0
      ? []
      : [
          'Mutants that violate it',
          ...proof.mutants.map(
            (each) =>
              `  ${each}: ${record.mutants[each]!.fault}${proof.killed.includes(each) ? '' : ' (not caught)'}`,
          ),
        ]),
  ]
}

const explainMutant = (id: string, record: MutantRecord, c: Colours): readonly string[] => {
  const mutant = record.mutants[id]!
  return [
    c.bold(id),
    `A gateway that ${mutant.fault}: ${mutant.verdict}`,
    '',
    'Breaks',
    ...clauseLines(mutant.clauses, c),
    '',
    `Caught by ${mutant.failed.length} of the checks of these sections`,
    ...mutant.failed.slice(0, 20).map((each) => `  ${each}`),
    ...(mutant.failed.length > 20 ? [`  and ${mutant.failed.length - 20} more`] : []),
    ...sampleLines(mutant, c),
    '',
    `Try it   svc mutants --only '^${id.replaceAll('.', '\\.')}$' --whole`,
  ]
}

/**
 * Explains what a check sends, what a clause says, or what a mutant does wrong, with a passing and
 * a failing transcript; reads only files of this package.
 */
export const explain = (names: readonly string[], { stdout, env }: CommandWorld): ExitCode => {
  const c = coloursFor(stdout, env)
  const record = readRecord()
  const texts = names.map((name) => {
    const check = checks.find(({ id }) => id === name)
    if (check !== undefined) return explainCheck(check, record, c)
    if (register.some(({ id }) => id === name)) return explainClause(name, record, c)
    if (record.mutants[name] !== undefined) return explainMutant(name, record, c)
    const known = [
      ...checks.map(({ id }) => id),
      ...register.map(({ id }) => id),
      ...Object.keys(record.mutants),
    ]
    throw new CannotRun(
      `'${name}' is not a check, clause or mutant`,
      `Did you mean '${nearest(name, known)}'?`,
    )
  })
  stdout.write(`${texts.map((lines) => lines.join('\n')).join('\n\n')}\n`)
  return exitCode.conformant
}
