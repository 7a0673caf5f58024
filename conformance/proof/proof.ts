import { checks } from '../checks/catalogue.ts'
import type { Level } from '../register/clause.ts'
import { clauses } from '../register/register.ts'
import type { CampaignSummary } from './summary.ts'

/** What speaks for one clause: the checks that cite it, and the mutants that show that they can fail. */
export type ClauseProof = {
  readonly checks: readonly string[]
  /** Mutants that break it. */
  readonly mutants: readonly string[]
  /** Those on which a check that cites the clause failed. */
  readonly killed: readonly string[]
}

type Mutants = Pick<CampaignSummary, 'mutants'>

/** Clause × check × mutant, by the id of the clause. */
export const clauseProofs = (summary: Mutants): ReadonlyMap<string, ClauseProof> => {
  const mutants = Object.entries(summary.mutants)
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

/** Of the clauses of a level that have a check, how many a killed mutant proves. */
export const killRate = (
  proofs: ReadonlyMap<string, ClauseProof>,
  level: Level,
): { readonly proven: number; readonly of: number } => {
  const some = clauses.filter((clause) => clause.level === level && clause.noCheck === undefined)
  return {
    proven: some.filter(({ id }) => proofs.get(id)!.killed.length > 0).length,
    of: some.length,
  }
}
