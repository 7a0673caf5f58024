import type { FindSimilarMutant, Similarity } from '../reports/similarity.ts'
import { requestsOf } from './asked.ts'
import { type MutantRecord, readRecord } from './record.ts'

/** Below this the similarity means nothing. */
const leastMatch = 0.3

/**
 * The mutant whose fingerprint is nearest to the failed checks: Jaccard's index over the checks
 * that ran against the mutant; each failure that did not run counts as half of one that passed.
 */
export function nearestMutant(
  failed: readonly string[],
  record: MutantRecord,
): Similarity | undefined {
  const failures = new Set(failed)
  const scored = Object.entries(record.mutants).flatMap(([id, known]): readonly Similarity[] => {
    const common = known.failed.filter((check) => failures.has(check)).length
    if (common === 0) return []
    // What failed did run, also if a record is older than today's selection of checks.
    const today = requestsOf(known.clauses, known.asking).map((check) => check.id)
    const asked = new Set([...known.failed, ...today])
    const askedFailures = [...failures].filter((check) => asked.has(check)).length
    const elsewhere = failures.size - askedFailures
    const all = known.failed.length + askedFailures - common
    return [{ id, fault: known.fault, match: common / (all + elsewhere / 2) }]
  })
  const best = scored.sort((a, b) => b.match - a.match)[0]
  return best !== undefined && best.match >= leastMatch ? best : undefined
}

/** The same for the results of a run, by the record of this machine; undefined without one. */
export const findSimilarMutant: FindSimilarMutant = (failed) => {
  const record = readRecord()
  return (
    record &&
    nearestMutant(
      failed.map(({ id }) => id),
      record,
    )
  )
}
