import { checks } from '../checks/catalogue.ts'
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

/** Clause × check × mutant, by the id of the clause. */
export const clauseProofs = (record: MutantRecord): ReadonlyMap<string, ClauseProof> => {
  const mutants = Object.entries(record.mutants)
  return new Map(
    clauses.map(({ id }) => {
      const citing = checks.filter((check) => check.clauses.includes(id)).map((check) => check.id)
      const breaking = mutants.filter(([, mutant]) => mutant.clauses.includes(id))
      const killed = breaking.filter(
        ([, { verdict, unproven }]) =>
          (verdict === 'killed' || verdict === 'survived') && !unproven.includes(id),
      )
      const names = (some: typeof breaking) => some.map(([name]) => name)
      return [id, { checks: citing, mutants: names(breaking), killed: names(killed) }]
    }),
  )
}
