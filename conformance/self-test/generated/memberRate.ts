import type { Trial } from 'polgate-conformance/proof/trial.ts'
import type { GeneratedMember } from './catalogue.ts'

export type Verdict = Trial['verdict']

/** What the faults of one member showed. */
export type MemberRate = Pick<GeneratedMember, 'name' | 'level' | 'clauses'> & {
  readonly killed: readonly string[]
  readonly survived: readonly string[]
  /** Faults that changed no answer, or could not be tried. */
  readonly unseen: readonly string[]
}

export type Rate = {
  /** Members with at least one fault tried. */
  readonly members: readonly MemberRate[]
  /** Of the members that must-clauses specify and a check made the service answer with. */
  readonly must: { readonly killed: number; readonly of: number }
  /** Must-members of which no fault changed an answer. */
  readonly neverAnswered: readonly string[]
  readonly faults: Readonly<Record<Verdict, number>>
  /** Survivors by the clauses of their members. */
  readonly survivors: Readonly<Record<string, readonly string[]>>
}

/** The kill rate of members: one is killed if every fault of it that took effect was detected. */
export function memberRateOf(
  all: readonly GeneratedMember[],
  verdicts: ReadonlyMap<string, Verdict>,
): Rate {
  const members = all.flatMap(({ name, level, clauses, mutants }): readonly MemberRate[] => {
    const tried = mutants.map(({ id }) => id).filter((id) => verdicts.has(id))
    if (tried.length === 0) return []
    const judged = (...as: readonly Verdict[]) =>
      tried.filter((id) => as.includes(verdicts.get(id)!))
    const rest = { killed: judged('killed'), survived: judged('survived') }
    return [{ name, level, clauses, ...rest, unseen: judged('void', 'broken') }]
  })
  const must = members.filter(({ level }) => level === 'must')
  const answered = must.filter(({ killed, survived }) => killed.length + survived.length > 0)
  const surviving = members.filter(({ survived }) => survived.length > 0)
  const survivors = Object.fromEntries(
    [...new Set(surviving.flatMap(({ clauses }) => clauses))].map((clause) => [
      clause,
      surviving.filter(({ clauses }) => clauses.includes(clause)).flatMap((each) => each.survived),
    ]),
  )
  const count = (verdict: Verdict) =>
    members.reduce((sum, { killed, survived, unseen }) => {
      const ids = [...killed, ...survived, ...unseen]
      return sum + ids.filter((id) => verdicts.get(id) === verdict).length
    }, 0)
  return {
    members,
    must: {
      killed: answered.filter(({ survived }) => survived.length === 0).length,
      of: answered.length,
    },
    neverAnswered: must.filter((member) => !answered.includes(member)).map(({ name }) => name),
    faults: {
      killed: count('killed'),
      survived: count('survived'),
      void: count('void'),
      broken: count('broken'),
    },
    survivors,
  }
}
