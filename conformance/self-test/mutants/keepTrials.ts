import type { Asking } from 'polgate-conformance/proof/asked.ts'
import { readRecord, recorded, writeRecord } from 'polgate-conformance/proof/record.ts'
import type { Trial } from 'polgate-conformance/proof/trial.ts'
import type { Level } from 'polgate-conformance/register/clause.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import type { Campaign } from './campaign.ts'
import { mutants as catalogue } from './catalogue.ts'
import { killRateOf } from './killRate.ts'
import type { Mutant } from './mutant.ts'
import { fitsSharedStack } from './sharedStack.ts'

/**
 * The checks of a mutant for the record: also those of neighbouring clauses, if it needs no
 * dedicated stack.
 */
export const askingOf = (mutant: Mutant): Asking =>
  fitsSharedStack(mutant, 'sections') ? 'sections' : 'first'

/** Puts trials into the record, replacing earlier ones; removed mutants are deleted. */
export const keepTrials = (tried: readonly Mutant[], trials: readonly Trial[]): void => {
  const known = new Set(catalogue.map(({ id }) => id))
  const record = readRecord()
  const before = Object.entries(record.mutants).filter(([id]) => known.has(id))
  const fresh = trials.map((trial) => {
    const mutant = tried.find(({ id }) => id === trial.id)!
    return [trial.id, recorded(mutant, trial, askingOf(mutant))] as const
  })
  const mutants = Object.fromEntries(
    [...new Map([...before, ...fresh])].sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const rate = killRateOf(
    clauses,
    catalogue,
    Object.entries(mutants).map(([id, mutant]) => ({ id, ...mutant })),
  )
  // Of all clauses with a check: what did not run yet is not proven.
  const all = (level: Level) =>
    clauses.filter((clause) => clause.level === level && clause.noCheck === undefined).length
  const pair = (level: Level) => [rate[level].proven, all(level)] as const
  writeRecord({
    ...record,
    rate: { must: pair('must'), should: pair('should'), may: pair('may') },
    mutants,
  })
}

/** Records how many checks passed on servers that do nothing right. */
export const keepFloor = (floor: Campaign['floor']): void => {
  const passed = Object.values(floor)
  if (passed.length > 0)
    writeRecord({ ...readRecord(), nullFloor: passed.reduce((sum, each) => sum + each, 0) })
}
