import { describedChecks as checks } from '../checks/described.ts'
import { clauses } from '../register/register.ts'
import type { MutantRecord } from './record.ts'

/**
 * Evidence for one clause: the checks that cite it, and the mutants that show that they can fail.
 */
export type ClauseProof = {
  readonly checks: readonly string[]
  /** Mutants that violate it. */
  readonly mutants: readonly string[]
  /** Mutants on which a check that cites the clause failed. */
  readonly killed: readonly string[]
}

const byClause = <T>(
  all: readonly T[],
  clausesOf: (each: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> => {
  const found = new Map<string, T[]>()
  for (const each of all)
    for (const id of clausesOf(each)) {
      const some = found.get(id)
      if (some === undefined) found.set(id, [each])
      else some.push(each)
    }
  return found
}

/** Clause × check × mutant, by the id of the clause. */
export const clauseProofs = (record: MutantRecord): ReadonlyMap<string, ClauseProof> => {
  const citing = byClause(checks, (check) => check.clauses)
  const violating = byClause(Object.entries(record.mutants), ([, mutant]) => mutant.clauses)
  return new Map(
    clauses.map(({ id }) => {
      const breaking = violating.get(id) ?? []
      const killed = breaking.filter(
        ([, { verdict, unproven }]) =>
          (verdict === 'killed' || verdict === 'survived') && !unproven.includes(id),
      )
      const names = (some: typeof breaking) => some.map(([name]) => name)
      return [
        id,
        {
          checks: (citing.get(id) ?? []).map((check) => check.id),
          mutants: names(breaking),
          killed: names(killed),
        },
      ]
    }),
  )
}
