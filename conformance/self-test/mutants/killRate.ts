import type { Trial } from 'polgate-conformance/proof/trial.ts'
import type { Clause, Level } from 'polgate-conformance/register/clause.ts'
import type { Mutant } from './mutant.ts'

/** What mutants prove about one clause. */
export type ClauseRate = {
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly mutants: readonly string[]
  /** Those with a failing check that cites the clause. */
  readonly killed: readonly string[]
}

export type KillRate = {
  /** Clauses with a check; each is proven if at least one mutant of it was killed for it. */
  readonly clauses: readonly ClauseRate[]
  readonly must: { readonly proven: number; readonly of: number }
  readonly should: { readonly proven: number; readonly of: number }
  readonly may: { readonly proven: number; readonly of: number }
  readonly mutants: Readonly<Record<Trial['verdict'], number>>
}

/**
 * The kill rate by clause. `trials` may be those of a subset of the mutants: only what they cover
 * counts, so `register` is then narrowed to their clauses.
 */
export function killRateOf(
  register: readonly Clause[],
  mutants: readonly Pick<Mutant, 'id' | 'clauses'>[],
  trials: readonly Pick<Trial, 'id' | 'verdict' | 'unproven'>[],
): KillRate {
  const trialOf = new Map(trials.map((trial) => [trial.id, trial]))
  const tried = mutants.filter(({ id }) => trialOf.has(id))
  const whole = tried.length === mutants.length
  const named = new Set(tried.flatMap(({ clauses }) => clauses))
  const clauses = register
    .filter(({ id, noCheck }) => noCheck === undefined && (whole || named.has(id)))
    .map(({ id, section, level }): ClauseRate => {
      const breaking = tried.filter((mutant) => mutant.clauses.includes(id))
      const killed = breaking.filter((mutant) => {
        const { verdict, unproven } = trialOf.get(mutant.id)!
        return (verdict === 'killed' || verdict === 'survived') && !unproven.includes(id)
      })
      const ids = (some: typeof breaking) => some.map((mutant) => mutant.id)
      return { id, section, level, mutants: ids(breaking), killed: ids(killed) }
    })
  const rate = (level: Level) => {
    const some = clauses.filter((clause) => clause.level === level)
    return { proven: some.filter(({ killed }) => killed.length > 0).length, of: some.length }
  }
  const count = (verdict: Trial['verdict']) =>
    trials.filter((trial) => trial.verdict === verdict).length
  return {
    clauses,
    must: rate('must'),
    should: rate('should'),
    may: rate('may'),
    mutants: {
      killed: count('killed'),
      survived: count('survived'),
      void: count('void'),
      broken: count('broken'),
    },
  }
}
