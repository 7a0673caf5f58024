import type { SuiteRecord } from '../certificate/statement.ts'
import { likeMutant } from '../mutants/nearest.ts'
import { clauseProofs } from '../mutants/proof.ts'
import { type MutantRecord, readRecord } from '../mutants/record.ts'
import type { Knowledge } from './reportFiles.ts'

/** How good the ruler is, from the committed record of the suite against faulty gateways. */
export const suiteKnowledge = (
  record: MutantRecord = readRecord(),
): { readonly knowledge: Knowledge; readonly suiteRecord: SuiteRecord } => {
  // Before the first campaign nothing is known: neither good nor bad.
  if (Object.keys(record.mutants).length === 0) return { knowledge: {}, suiteRecord: {} }
  const coverage = Object.fromEntries(
    [...clauseProofs(record)].map(([id, { checks, mutants, killed }]) => [
      id,
      { checks: checks.length, mutants: mutants.length, killed: killed.length },
    ]),
  )
  const rate = (level: keyof MutantRecord['rate']) => {
    const [proven, of] = record.rate[level]
    return `${proven}/${of} ${level}`
  }
  return {
    knowledge: { coverage, like: likeMutant },
    suiteRecord: {
      killRate: `${rate('must')}, ${rate('should')}`,
      ...(record.nullFloor === undefined ? {} : { nullFloor: record.nullFloor }),
    },
  }
}
