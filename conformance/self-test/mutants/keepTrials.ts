import { isDeepStrictEqual } from 'node:util'
import type { TrialScope } from 'polgate-conformance/proof/asked.ts'
import { detecting, readRecord, recorded, writeRecord } from 'polgate-conformance/proof/record.ts'
import { type MutantSummary, readSummary, writeSummary } from 'polgate-conformance/proof/summary.ts'
import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { generatedMutants } from '../generated/catalogue.ts'
import type { Campaign } from './campaign.ts'
import { faults } from './catalogue.ts'
import type { Mutant } from './mutant.ts'
import { fitsSharedStack } from './sharedStack.ts'

/**
 * The checks of a mutant for the record: also those of neighbouring clauses, if it needs no
 * dedicated stack.
 */
export const trialScopeOf = (mutant: Mutant): TrialScope =>
  fitsSharedStack(mutant, 'sections') ? 'sections' : 'first'

const summaryOf = ({ fault, clauses }: Mutant, trial: Trial): MutantSummary => ({
  fault,
  clauses,
  verdict: trial.verdict,
  unproven: trial.unproven,
  detectedBy: detecting({ clauses }, trial)?.id,
})

/** Earlier results of mutants that are still in the catalogue and break the same clauses. */
const stillValid = <T extends { readonly fault: string; readonly clauses: readonly string[] }>(
  earlier: Readonly<Record<string, T>>,
  mutants: readonly Mutant[] = faults,
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    mutants.flatMap(({ id, fault, clauses }) => {
      const known = earlier[id]
      return known === undefined || !isDeepStrictEqual([...known.clauses], [...clauses])
        ? []
        : [[id, { ...known, fault }]]
    }),
  )

/**
 * Puts trials into the committed summary and into the record of this machine, in the place of earlier
 * ones. Results of mutants that are gone, or that break other clauses now, are dropped.
 */
export function saveTrials(tried: readonly Mutant[], trials: readonly Trial[]): void {
  const mutantOf = (trial: Trial) => tried.find(({ id }) => id === trial.id)!
  const summary = readSummary()
  writeSummary({
    ...summary,
    mutants: {
      ...stillValid(summary.mutants),
      ...Object.fromEntries(trials.map((trial) => [trial.id, summaryOf(mutantOf(trial), trial)])),
    },
  })
  if (trials.length === 0) return
  const fresh = trials.map((trial) => {
    const mutant = mutantOf(trial)
    return [trial.id, recorded(mutant, trial, trialScopeOf(mutant))] as const
  })
  const mutants = { ...stillValid(readRecord()?.mutants ?? {}), ...Object.fromEntries(fresh) }
  writeRecord({ version: 1, mutants })
}

/** The same for generated faults, which have a summary of their own and no record. */
export function saveGenerated(tried: readonly Mutant[], trials: readonly Trial[]): void {
  const mutantOf = (trial: Trial) => tried.find(({ id }) => id === trial.id)!
  const earlier = readSummary('generated')
  const fresh = trials.map((trial) => [trial.id, summaryOf(mutantOf(trial), trial)] as const)
  const mutants = {
    ...stillValid(earlier.mutants, generatedMutants),
    ...Object.fromEntries(fresh),
  }
  writeSummary({ ...earlier, mutants }, 'generated')
}

/** Records in the summary how many checks passed on servers that do nothing right. */
export function saveFloor(floor: Campaign['floor']): void {
  const passed = Object.values(floor)
  if (passed.length > 0)
    writeSummary({ ...readSummary(), nullFloor: passed.reduce((sum, each) => sum + each, 0) })
}
