import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import type { CheckInfo } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { printable } from '../core/printable.ts'
import { nearest } from '../core/select.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { checkPlace } from '../explain/checkPlace.ts'
import { passingTurn } from '../explain/passingTurn.ts'
import { clauseProofs } from '../proof/proof.ts'
import { type MutantRecord, type RecordedMutant, readRecord } from '../proof/record.ts'
import { type CampaignSummary, readSummary } from '../proof/summary.ts'
import { clauses as register } from '../register/register.ts'
import { type Colours, coloursFor } from '../reports/colours.ts'
import { type PassingResults, passingResults } from './passingResults.ts'
import { planRun } from './planRun.ts'
import { rerunOn } from './rerun.ts'
import type { CommandIo } from './world.ts'

export type ExplainOptions = {
  /** Files, folders or glob patterns of the gateway's own checks. */
  readonly checks?: readonly string[] | undefined
  /** Log of a run, or its directory, to take passing exchanges from. */
  readonly run?: string | undefined
  /** Runs the checks on this target now, and shows the exchanges. */
  readonly target?: string | undefined
  readonly targetFile?: string | undefined
}

type Knowledge = {
  readonly summary: CampaignSummary
  readonly record: MutantRecord | undefined
  readonly passing: PassingResults | undefined
}

/** At most so many mutants are listed for a check. */
const listedMutants = 5

const patternOf = (id: string) => `'^${id.replaceAll('.', '\\.')}$'`

const clauseLines = (ids: readonly string[], c: Colours) =>
  ids.flatMap((id) => {
    const clause = register.find((each) => each.id === id)
    if (clause === undefined) return []
    const level = clause.open ? 'open' : clause.level
    const silent = clause.open ? ['         open in the specification: observed, not judged'] : []
    return [`  ${c.bold(id.padEnd(8))} ${level.padEnd(6)} ${clause.text}`, ...silent]
  })

function sampleLines({ sample }: Pick<RecordedMutant, 'sample'>, c: Colours): readonly string[] {
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

function passingLines({ id }: CheckInfo, passing: PassingResults | undefined): readonly string[] {
  const result = passing?.results.find((each) => each.id === id)
  if (passing === undefined || result === undefined)
    return [
      'Passing exchange: none recorded in this directory',
      `  run the check on a local stack and show it: polgate explain ${id} --target local`,
      '  or take it from the log of a run:            --run DIRECTORY',
    ]
  if (result.verdict !== 'passed')
    return [
      `Passing exchange: none, the check was ${result.verdict} in ${passing.source}`,
      ...(result.reason === undefined ? [] : [`  ${printable(result.reason)}`]),
    ]
  const turn = passingTurn(result)
  if (turn === undefined)
    return [`Passes (${passing.source}) without an exchange of its own: it uses a shared one`]
  return [
    `Passing exchange (${passing.source})`,
    `  > ${printable(turn.sent)}`,
    `  < ${printable(turn.received)}`,
  ]
}

const more = (all: readonly unknown[]) =>
  all.length > listedMutants ? [`  and ${all.length - listedMutants} more`] : []

/** Without a record only one detecting check is known of each mutant. */
function candidateLines(check: CheckInfo, { summary }: Knowledge): readonly string[] {
  const candidates = Object.entries(summary.mutants).filter(([, { clauses }]) =>
    clauses.some((id) => check.clauses.includes(id)),
  )
  if (candidates.length === 0) return ['No mutant breaks its clauses']
  return [
    'Mutants that break its clauses, each with a check that detects it',
    ...candidates
      .slice(0, listedMutants)
      .map(([id, { fault, detectedBy }]) => `  ${id}: ${fault} (${detectedBy ?? 'no check'})`),
    ...more(candidates),
    '  how this check fails on them is not recorded on this machine; record it in a clone of the suite with',
    `  npm run mutants -- --clause ${check.clauses[0]} --record`,
  ]
}

function mutantLines(check: CheckInfo, knowledge: Knowledge, c: Colours): readonly string[] {
  if (check.own !== undefined) return []
  const { summary, record } = knowledge
  if (record === undefined) return candidateLines(check, knowledge)
  const detected = Object.entries(summary.mutants).filter(([mutant, { detectedBy }]) => {
    const failed = record.mutants[mutant]?.failed
    return failed === undefined ? detectedBy === check.id : failed.includes(check.id)
  })
  const sampleOf = (mutant: string) => {
    const known = record.mutants[mutant]
    return known?.sample?.id === check.id ? known : undefined
  }
  // Those whose sample is of this check first: they show how it fails.
  const ordered = [...detected].sort(
    ([a], [b]) => Number(sampleOf(b) !== undefined) - Number(sampleOf(a) !== undefined),
  )
  const count = `${detected.length} ${detected.length === 1 ? 'mutant' : 'mutants'}`
  return [
    detected.length === 0 ? 'Known to detect no mutant' : `Detects ${count}`,
    ...ordered
      .slice(0, listedMutants)
      .flatMap(([mutant, { fault }]) => [
        `  ${mutant}: ${fault}`,
        ...sampleLines(sampleOf(mutant) ?? {}, c),
      ]),
    ...more(detected),
  ]
}

function placeLines(check: CheckInfo): readonly string[] {
  const place = check.own === undefined ? checkPlace(check) : check.own.file
  return place === undefined ? [] : [`Source   ${place}`]
}

const requirementLines = ({ own, clauses }: CheckInfo, c: Colours): readonly string[] =>
  own === undefined
    ? ['Clauses', ...clauseLines(clauses, c)]
    : [
        "A check of the gateway's own: it proves no clause",
        ...(own.clause === undefined ? [] : [`  ${printable(own.clause)}`]),
      ]

const explainCheck = (check: CheckInfo, knowledge: Knowledge, c: Colours): readonly string[] => [
  c.bold(check.id),
  check.title,
  '',
  ...placeLines(check),
  `Level    ${check.level}`,
  ...(check.twin === undefined
    ? []
    : [
        `Twin     ${check.twin}: must be accepted in the same run, otherwise the refusal proves nothing`,
      ]),
  `Needs    ${check.needs.length === 0 ? 'only the gateway' : check.needs.join(', ')}`,
  ...(check.uses === undefined
    ? []
    : [`Uses     ${check.uses.join(', ')}, where the target has it`]),
  ...(check.exclusive ? ['Alone    it changes state that other checks rely on'] : []),
  '',
  ...requirementLines(check, c),
  '',
  ...passingLines(check, knowledge.passing),
  '',
  ...mutantLines(check, knowledge, c),
  '',
  `Run      polgate run local --grep ${patternOf(check.id)}${check.own === undefined ? '' : ` --checks ${check.own.file}`}`,
]

function explainClause(id: string, { summary }: Knowledge, c: Colours): readonly string[] {
  const clause = register.find((each) => each.id === id)!
  const proof = clauseProofs(summary).get(id)!
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
              `  ${each}: ${summary.mutants[each]!.fault}${proof.killed.includes(each) ? '' : ' (not caught)'}`,
          ),
        ]),
  ]
}

function explainMutant(id: string, { summary, record }: Knowledge, c: Colours): readonly string[] {
  const { fault, verdict, clauses, detectedBy } = summary.mutants[id]!
  const known = record?.mutants[id]
  const failed = known?.failed ?? []
  return [
    c.bold(id),
    `A gateway that ${fault}: ${verdict}`,
    '',
    'Breaks',
    ...clauseLines(clauses, c),
    '',
    ...(known === undefined
      ? [
          `Detected by ${detectedBy ?? 'no check'}`,
          '  further checks and how they fail are not recorded on this machine; record them in a clone of the suite with',
          `  npm run mutants -- --only ${patternOf(id)} --record`,
        ]
      : [
          `Detected by ${failed.length} of the checks that were run on it`,
          ...failed.slice(0, 20).map((each) => `  ${each}`),
          ...(failed.length > 20 ? [`  and ${failed.length - 20} more`] : []),
          ...sampleLines(known, c),
        ]),
    '',
    `Try it   npm run mutants -- --only ${patternOf(id)} --whole, in a clone of the suite`,
  ]
}

/**
 * Explains checks, clauses and mutants. Passing exchanges of checks come from a run of now
 * (`target`), from a log (`run`), or from the newest run of the directory.
 *
 * @throws CannotRun
 */
export async function explain(
  names: readonly string[],
  options: ExplainOptions,
  world: CommandIo,
): Promise<ExitCode> {
  const { stdout, env, cwd } = world
  const { run, target, targetFile } = options
  const { all: checks, own } = await planRun({ checks: options.checks }, cwd)
  own.close()
  if (run !== undefined && target !== undefined)
    throw new CannotRun('--run and --target exclude each other', 'Give one of them.')
  const c = coloursFor(stdout, env)
  const summary = readSummary()
  const chosen = checks.filter(({ id }) => names.includes(id))
  const isKnown = (name: string) =>
    chosen.some(({ id }) => id === name) ||
    register.some(({ id }) => id === name) ||
    Object.hasOwn(summary.mutants, name)
  const unknown = names.find((name) => !isKnown(name))
  if (unknown !== undefined) {
    const known = [...checks, ...register].map(({ id }) => id)
    throw new CannotRun(
      `'${unknown}' is not a check, clause or mutant`,
      `Did you mean '${nearest(unknown, [...known, ...Object.keys(summary.mutants)])}'?`,
    )
  }
  const rerun =
    target === undefined
      ? undefined
      : rerunOn({ target, targetFile, checks: options.checks }, world)
  const passing =
    chosen.length === 0
      ? undefined
      : await passingResults(
          chosen.map(({ id }) => id),
          { run, rerun, cwd },
        )
  const knowledge: Knowledge = { summary, record: readRecord(), passing }
  const texts = names.map((name) => {
    const check = chosen.find(({ id }) => id === name)
    if (check !== undefined) return explainCheck(check, knowledge, c)
    return register.some(({ id }) => id === name)
      ? explainClause(name, knowledge, c)
      : explainMutant(name, knowledge, c)
  })
  const text = texts.map((lines) => lines.join('\n')).join('\n\n')
  stdout.write(`${wrapText(text, outputWidth(stdout, env))}\n`)
  return exitCode.conformant
}
