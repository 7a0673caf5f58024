import { type Profile, sectionProfiles } from './profiles.ts'

/** Requirement level of a fact, after RFC 2119. */
export type Level = 'must' | 'should' | 'may'

/** One fact of the specification, reworded, small enough for a check to prove or refute it. */
export type Clause = {
  /** Section and a running number: `4.2-07`. Never reused for another fact. */
  readonly id: string
  /** The section of service.md, such as `4.2`. */
  readonly section: string
  /** The numbered item of a section with items, such as `1.3`: data oracles. */
  readonly item?: string
  readonly level: Level
  /** The part of the service that it belongs to. */
  readonly profile: Profile
  readonly text: string
  /**
   * The specification is silent or allows several readings: probed, recorded, reported, never
   * judged.
   */
  readonly open?: true
  /** Why no check of this suite proves the fact. */
  readonly noCheck?: string
}

type Row = {
  readonly text: string
  readonly level?: Level
  /** Where it is not that of the section. */
  readonly profile?: Profile
  readonly open?: true
  readonly noCheck?: string
}

/** Numbers of clauses by their item of the section. */
type Items = Readonly<Record<string, readonly string[]>>

/**
 * The clauses of one section. Numbers are explicit, so that an inserted fact cannot shift the ids
 * used in reports and baselines. A row is a `must` by default; an open point is a `may`.
 */
export function sectionClauses(
  section: string,
  rows: Readonly<Record<string, Row | string>>,
  items: Items = {},
): readonly Clause[] {
  const itemOf = new Map(
    Object.entries(items).flatMap(([item, numbers]) => numbers.map((number) => [number, item])),
  )
  const usual = sectionProfiles[section]
  if (usual === undefined)
    throw new Error(`section ${section} has no profile: add it to profiles.ts`)
  // Integer-like keys of an object come before the others: `10` before `01`.
  const ordered = Object.entries(rows).sort(([a], [b]) => Number(a) - Number(b))
  return ordered.map(([number, given]) => {
    const row: Row = typeof given === 'string' ? { text: given } : given
    const item = itemOf.get(number)
    return {
      id: `${section}-${number}`,
      section,
      ...(item === undefined ? {} : { item }),
      level: row.level ?? (row.open ? 'may' : 'must'),
      profile: row.profile ?? usual,
      text: row.text,
      ...(row.open ? { open: true as const } : {}),
      ...(row.noCheck === undefined ? {} : { noCheck: row.noCheck }),
    }
  })
}
