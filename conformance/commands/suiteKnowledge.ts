import type { SuiteRecord } from '../certificate/statement.ts'
import { findSimilarMutant } from '../proof/nearest.ts'
import { clauseProofs, killRate } from '../proof/proof.ts'
import { type CampaignSummary, readSummary } from '../proof/summary.ts'
import { falseAlarmRate, readVariants, type VariantSummary } from '../proof/variants.ts'
import type { Level } from '../register/clause.ts'
import type { Knowledge } from '../reports/reportFiles.ts'
import { recordedSeedRuns, type SeedRecord } from '../runner/seedRuns.ts'

/** Quality of the suite, from the committed records of mutants, of variants and of repeated runs. */
export function suiteKnowledge(
  summary: CampaignSummary = readSummary(),
  seedRuns: SeedRecord | undefined = recordedSeedRuns(),
  variants: readonly VariantSummary[] = readVariants(),
): { readonly knowledge: Knowledge; readonly suiteRecord: SuiteRecord } {
  // Before the first campaign nothing is known: neither good nor bad.
  if (Object.keys(summary.mutants).length === 0) return { knowledge: {}, suiteRecord: {} }
  const proofs = clauseProofs(summary)
  const falseAlarms = falseAlarmRate(variants)
  const coverage = Object.fromEntries(
    [...proofs].map(([id, { checks, mutants, killed }]) => [
      id,
      { checks: checks.length, mutants: mutants.length, killed: killed.length },
    ]),
  )
  const rate = (level: Level) => {
    const { proven, of } = killRate(proofs, level)
    return `${proven}/${of} ${level}`
  }
  return {
    knowledge: { coverage, like: findSimilarMutant },
    suiteRecord: {
      killRate: `${rate('must')}, ${rate('should')}`,
      ...(summary.nullFloor === undefined ? {} : { nullFloor: summary.nullFloor }),
      ...(falseAlarms === undefined ? {} : { falseAlarms }),
      ...(seedRuns === undefined
        ? {}
        : { flakeRate: `${seedRuns.runsWithFailures} of ${seedRuns.runs} runs` }),
    },
  }
}
