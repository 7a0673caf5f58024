import type { SuiteRecord } from '../certificate/statement.ts'
import { likeMutant } from '../proof/nearest.ts'
import { clauseProofs } from '../proof/proof.ts'
import { type MutantRecord, readRecord } from '../proof/record.ts'
import type { Knowledge } from '../reports/reportFiles.ts'
import { type FlakeReport, recordedFlakes } from '../runner/flakes.ts'

/** Quality of the suite, from the committed records of mutants and of repeated runs. */
export const suiteKnowledge = (
  record: MutantRecord = readRecord(),
  flakes: FlakeReport | undefined = recordedFlakes(),
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
      ...(flakes === undefined ? {} : { flakeRate: `${flakes.flakyRuns} of ${flakes.runs} runs` }),
    },
  }
}
