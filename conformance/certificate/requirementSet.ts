import { createHash } from 'node:crypto'
import type { PlannedCheck } from '../core/events.ts'
import type { Clause } from '../register/clause.ts'
import { clauses as register } from '../register/register.ts'
import { canonicalJson } from './canonicalJson.ts'

/** A frozen set, named by its content: a different text is a different set. */
export type NamedSet = {
  /** The first digits of the digest: `requirements/3f2a9c41`. */
  readonly name: string
  /** SHA-256 over the canonical JSON of its members, hex. */
  readonly sha256: string
  readonly size: number
}

function named(kind: string, members: readonly unknown[]): NamedSet {
  const sha256 = createHash('sha256').update(canonicalJson(members)).digest('hex')
  return { name: `${kind}/${sha256.slice(0, 8)}`, sha256, size: members.length }
}

const byId = <T extends { readonly id: string }>(some: readonly T[]): readonly T[] =>
  [...some].sort((a, b) => (a.id < b.id ? -1 : 1))

/** The requirements: ids, levels, texts, and the reasons of clauses without a check. */
export const requirementSet = (clauses: readonly Clause[] = register): NamedSet =>
  named('requirements', byId(clauses))

/** The checks of the requirements: id, clauses and level. */
export const checkSet = (checks: readonly PlannedCheck[]): NamedSet =>
  named(
    'checks',
    byId(checks).map(({ id, title, section, clauses, level }) => ({
      id,
      title,
      section,
      clauses,
      level,
    })),
  )
