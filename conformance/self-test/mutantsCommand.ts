import { createHash } from 'node:crypto'
import type { CommandIo } from 'polgate-conformance/commands/world.ts'
import { CannotRun } from 'polgate-conformance/core/conformanceError.ts'
import { freshSeed, parseSeed } from 'polgate-conformance/core/seed.ts'
import { type ExitCode, exitCode } from 'polgate-conformance/core/verdict.ts'
import type { TrialScope } from 'polgate-conformance/proof/asked.ts'
import { recordPlace } from 'polgate-conformance/proof/record.ts'
import { summaryPlace } from 'polgate-conformance/proof/summary.ts'
import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { coloursFor } from 'polgate-conformance/reports/colours.ts'
import { counted } from 'polgate-lib/text/counted.ts'
import { campaignReport, trialLine } from './campaignReport.ts'
import { generatedMutants } from './generated/catalogue.ts'
import { generatedOutcome } from './generated/generatedOutcome.ts'
import { runCampaign } from './mutants/campaign.ts'
import { choices, mutants as everyMutant, faults } from './mutants/catalogue.ts'
import { saveFloor, saveGenerated, saveTrials, trialScopeOf } from './mutants/keepTrials.ts'
import type { Mutant } from './mutants/mutant.ts'
import { selectOnly } from './only.ts'

const dayMs = 86_400_000

/**
 * A different subset of the ids each day, so that all of them come round. They are ordered by hash,
 * so that a day has some of every area.
 */
export function rotating<T extends { readonly id: string }>(
  all: readonly T[],
  count: number,
  now: Date,
): readonly T[] {
  if (count >= all.length) return all
  const place = ({ id }: T) => createHash('sha256').update(id).digest('hex')
  const shuffled = [...all].sort((a, b) => (place(a) < place(b) ? -1 : 1))
  const first = (Math.floor(now.getTime() / dayMs) * count) % shuffled.length
  return [...shuffled.slice(first), ...shuffled.slice(0, first)].slice(0, count)
}

export type MutantsOptions = {
  /** Regular expressions over ids. */
  readonly only?: readonly string[] | undefined
  /** Sections or clauses that a mutant violates. */
  readonly clause?: readonly string[] | undefined
  /** Number of mutants, a different subset each day. */
  readonly rotate?: number | undefined
  readonly workers?: number | undefined
  readonly seed?: string | undefined
  /** Run every check that cites a violated clause, and show those that failed. */
  readonly whole?: boolean | undefined
  /** Put the results into the committed summary and into the record of this machine. */
  readonly record?: boolean | undefined
  /** Hold the mutants to the decisions of the reference implementation too. */
  readonly reference?: boolean | undefined
  /** False: without the controls. */
  readonly controls?: boolean | undefined
  /** The faults derived from the schemas of the answers, instead of those written by hand. */
  readonly generated?: boolean | undefined
  readonly list?: boolean | undefined
  readonly json?: boolean | undefined
}

function chosenOf(
  options: MutantsOptions,
  catalogue: readonly Mutant[],
  now: Date,
): readonly Mutant[] {
  const named = selectOnly(catalogue, options.only ?? [], 'mutant', (expression) =>
    choices.some(({ id }) => expression.test(id))
      ? 'It breaks only what the specification leaves open: add --reference.'
      : undefined,
  )
  const wanted = options.clause ?? []
  const breaks = ({ clauses }: Mutant, name: string) =>
    clauses.some((id) => id === name || id.startsWith(`${name}-`) || id.startsWith(`${name}.`))
  for (const name of wanted)
    if (!catalogue.some((mutant) => breaks(mutant, name)))
      throw new CannotRun(`--clause '${name}' is violated by no mutant`, 'List them with --list.')
  const selected = named.filter(
    (mutant) => wanted.length === 0 || wanted.some((name) => breaks(mutant, name)),
  )
  return options.rotate === undefined ? selected : rotating(selected, options.rotate, now)
}

/**
 * Runs the mutants and reports the kill rate by clause, for generated ones by member. 0: every mutant
 * was killed, and with the whole catalogue every must-clause is proven. 1: one survived, or a must-clause is not proven. 2:
 * nothing was measured. 3: one was void or broken.
 */
export async function mutants(options: MutantsOptions, world: CommandIo): Promise<ExitCode> {
  const { stdout, stderr, env, signal } = world
  if (options.record && options.reference)
    throw new CannotRun(
      '--record cannot be combined with --reference',
      'The record has what a third party measures: omit --reference.',
    )
  // What the specification leaves open is no fault of a third party's gateway.
  const own = options.reference ? everyMutant : faults
  const catalogue = options.generated ? generatedMutants : own
  const chosen = chosenOf(options, catalogue, new Date())
  if (options.list) {
    for (const { id, clauses, fault } of chosen)
      stdout.write(`${id.padEnd(44)} ${clauses.join(' ').padEnd(16)} ${fault}\n`)
    stdout.write(`${counted(chosen.length, 'mutant')}\n`)
    return exitCode.conformant
  }
  const seed = options.seed === undefined ? freshSeed() : parseSeed(options.seed)
  const usual: TrialScope = options.whole ? 'cited' : 'first'
  const whole = chosen.length === catalogue.length
  const colours = coloursFor(stderr, env)
  if (!options.json) stdout.write(`seed ${seed}\n`)
  const save = options.generated ? saveGenerated : saveTrials
  const kept: Trial[] = []
  const keep = (trial: Trial) => {
    if (chosen.some(({ id }) => id === trial.id)) kept.push(trial)
    // An interrupted campaign keeps its results.
    if (kept.length >= keptTogether) save(chosen, kept.splice(0))
  }
  const campaign = await runCampaign({
    catalogue,
    chosen,
    seed,
    asking: options.record && !options.generated ? trialScopeOf : () => usual,
    workers: options.workers ?? 2,
    controlled: options.controls ?? true,
    reference: options.reference,
    signal,
    onTrial: (trial, done, of) => {
      stderr.write(
        `[${done}/${of}] ${trialLine(trial, colours, (options.whole ?? false) || isBad(trial))}\n`,
      )
      if (options.record) keep(trial)
    },
  })
  if (options.record) {
    save(chosen, kept.splice(0))
    if (!options.generated) saveFloor(campaign.floor)
    const places = [summaryPlace(options.generated ? 'generated' : 'mutants')]
    if (!options.generated) places.push(recordPlace)
    stderr.write(`recorded in ${places.join(' and ')}\n`)
  }
  if (signal.aborted) return exitCode.interrupted
  if (options.generated) {
    const { text, code } = generatedOutcome(campaign, {
      colours: coloursFor(stdout, env),
      recorded: options.record ?? false,
    })
    stdout.write(options.json ? `${JSON.stringify(campaign)}\n` : text)
    return code
  }
  const report = campaignReport(campaign, { colours: coloursFor(stdout, env), catalogue, whole })
  stdout.write(options.json ? `${JSON.stringify(campaign)}\n` : report)
  if (campaign.voided !== undefined) return exitCode.couldNotRun
  const { rate } = campaign
  if (rate.mutants.survived > 0 || (whole && rate.must.proven < rate.must.of))
    return exitCode.notConformant
  return rate.mutants.void + rate.mutants.broken > 0 ? exitCode.inconclusive : exitCode.conformant
}

/** The record is rewritten after this many trials. */
const keptTogether = 25

const isBad = ({ id, verdict }: Trial) => verdict !== 'killed' && !id.startsWith('control.')
