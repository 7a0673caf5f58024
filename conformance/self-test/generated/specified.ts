import type { OperatorName } from './operators.ts'

/** What the specification says of a member. */
export type Specified = {
  /** Clauses that say so; with open ones alone, the specification leaves the member open. */
  readonly clauses: readonly string[]
  /**
   * `exact` if the right value is known to a client. `text`: any value of the type is valid. `now`: the time
   * of the answer, by the clock of the gateway. Default: exact.
   */
  readonly value?: 'exact' | 'text' | 'now'
  /** Why an answer without the member, or with null, is valid too. */
  readonly absent?: string
  /** Further operators whose result is a valid answer, with the reason. */
  readonly legal?: Readonly<Partial<Record<OperatorName, string>>>
}

/** By path, as `results[].policy_id`; a path with `.**` covers everything below without a row. */
export type SpecifiedMembers = Readonly<Record<string, Specified>>

/** No clause says anything of the member. */
export const unspecified: Specified = { clauses: [] }

export const exact = (...clauses: readonly string[]): Specified => ({ clauses })
export const text = (...clauses: readonly string[]): Specified => ({ clauses, value: 'text' })
export const now = (...clauses: readonly string[]): Specified => ({ clauses, value: 'now' })
export const optional = (reason: string, specified: Specified): Specified => ({
  ...specified,
  absent: reason,
})

/** The same members at another place. */
export const under = (prefix: string, members: SpecifiedMembers): SpecifiedMembers =>
  Object.fromEntries(
    Object.entries(members).map(([path, specified]) => [`${prefix}.${path}`, specified]),
  )

const isOpen = (path: string): boolean => path.endsWith('**') || path.endsWith('[]')

/** The same members where further clauses specify all of them. */
export const also = (clauses: readonly string[], members: SpecifiedMembers): SpecifiedMembers =>
  Object.fromEntries(
    Object.entries(members).map(([path, specified]) => [
      path,
      // What is open elsewhere is open here.
      isOpen(path) ? specified : { ...specified, clauses: [...specified.clauses, ...clauses] },
    ]),
  )
