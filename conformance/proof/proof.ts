import { describedChecks as checks } from '../checks/described.ts'
import type { Level } from '../register/clause.ts'
import { clauses } from '../register/register.ts'
import type { CampaignSummary } from './summary.ts'

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

function byClause<T>(
  all: readonly T[],
  clausesOf: (each: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>()
  for (const each of all)
    for (const id of clausesOf(each)) {
      const some = found.get(id)
      if (some === undefined) found.set(id, [each])
      else some.push(each)
    }
  return found
}

type Mutants = Pick<CampaignSummary, 'mutants'>

/** Clause × check × mutant, by the id of the clause. */
export function clauseProofs(summary: Mutants): ReadonlyMap<string, ClauseProof> {
  const citing = byClause(checks, (check) => check.clauses)
  const violating = byClause(Object.entries(summary.mutants), ([, mutant]) => mutant.clauses)
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

/** Of the clauses of a level that have a check, how many a killed mutant proves. */
export function killRate(
  proofs: ReadonlyMap<string, ClauseProof>,
  level: Level,
): { readonly proven: number; readonly of: number } {
  const some = clauses.filter((clause) => clause.level === level && clause.noCheck === undefined)
  return {
    proven: some.filter(({ id }) => proofs.get(id)!.killed.length > 0).length,
    of: some.length,
  }
}
