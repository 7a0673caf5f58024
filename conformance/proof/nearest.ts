import type { CheckFinished } from '../core/events.ts'
import type { FindSimilarMutant, Similarity } from '../reports/similarity.ts'
import { requestsOf } from './asked.ts'
import { type MutantRecord, type RecordedMutant, readRecord } from './record.ts'
import { agree, signatureOf } from './signature.ts'

/** Below this the similarity means nothing. */
const leastMatch = 0.3

/** Whether a check failed on a mutant as it failed now. */
export type FailedAlike = (check: string, mutant: RecordedMutant) => boolean

/**
 * The mutant whose fingerprint is nearest to the failed checks: Jaccard's index over the checks
 * that ran against the mutant; each failure that did not run counts as half of one that passed. A
 * check that failed in another way than on the mutant is no common one.
 */
export function nearestMutant(
  failed: readonly string[],
  record: MutantRecord,
  failedAlike: FailedAlike = () => true,
): Similarity | undefined {
  const failures = new Set(failed)
  const scored = Object.entries(record.mutants).flatMap(([id, known]): readonly Similarity[] => {
    const common = known.failed.filter(
      (check) => failures.has(check) && failedAlike(check, known),
    ).length
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

const signatureIn = ({ signatures, sample }: RecordedMutant, check: string) =>
  signatures?.[check] ?? (sample?.id === check ? signatureOf(sample) : undefined)

/** The same for results: HTTP status, error code and member must be those recorded for the mutant. */
export function similarMutant(
  failed: readonly CheckFinished[],
  record: MutantRecord,
): Similarity | undefined {
  const now = new Map(failed.map((result) => [result.id, signatureOf(result)]))
  return nearestMutant(
    failed.map(({ id }) => id),
    record,
    (check, mutant) => {
      const before = signatureIn(mutant, check)
      return before !== undefined && agree(before, now.get(check)!)
    },
  )
}

/** By the record of this machine; undefined without one. */
export const findSimilarMutant: FindSimilarMutant = (failed) => {
  const record = readRecord()
  return record && similarMutant(failed, record)
}
