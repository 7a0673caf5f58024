import type { Clause } from '../register/clause.ts'
import { clauses } from '../register/register.ts'
import type { CheckFinished, RunEvent, RunFinished, RunStarted } from '../runner/events.ts'
import { type Summary, summarise } from '../runner/verdict.ts'

/** A run as reports see it: a pure function of the event log. */
export type Report = {
  readonly started: RunStarted
  readonly results: readonly CheckFinished[]
  /** Absent where the log ends before the run did. */
  readonly finished: RunFinished | undefined
  readonly summary: Summary
  readonly coverage: Coverage
}

/** How much of the register a run has proven. */
export type Coverage = {
  readonly clauses: number
  /** Clauses with at least one passed check and no failed one. */
  readonly proven: number
  readonly refuted: readonly string[]
  /** Clauses that carry a written reason instead of a check. */
  readonly reasoned: number
  /** The same by section, or by item of one that has items: of those that the run had checks of. */
  readonly sections: readonly SectionCoverage[]
}

export type SectionCoverage = {
  readonly section: string
  readonly clauses: number
  readonly proven: number
  readonly reasoned: number
}

const coverageOf = (results: readonly CheckFinished[]): Coverage => {
  const with_ = (verdict: string) =>
    new Set(results.filter((r) => r.verdict === verdict).flatMap((r) => r.clauses))
  const asked = new Set(results.flatMap((r) => r.clauses))
  const passed = with_('passed')
  const failed = with_('failed')
  const count = (some: readonly Clause[]) => ({
    clauses: some.length,
    proven: some.filter((c) => passed.has(c.id) && !failed.has(c.id)).length,
    reasoned: some.filter((c) => c.noCheck !== undefined).length,
  })
  const sections = new Map<string, Clause[]>()
  for (const clause of clauses) {
    const name = clause.item ?? clause.section
    sections.set(name, [...(sections.get(name) ?? []), clause])
  }
  return {
    ...count(clauses),
    refuted: clauses.filter((c) => failed.has(c.id)).map((c) => c.id),
    sections: [...sections]
      .filter(([, some]) => some.some(({ id }) => asked.has(id)))
      .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      .map(([section, some]) => ({ section, ...count(some) })),
  }
}

/** Reads a log. Throws where it has no beginning. */
export const reportOf = (events: readonly RunEvent[]): Report => {
  const started = events.find((e) => e.type === 'run-started')
  if (started === undefined) throw new Error('the event log has no run-started event')
  const results = events.filter((e) => e.type === 'check-finished')
  const finished = events.find((e) => e.type === 'run-finished')
  const sum = (pick: (r: CheckFinished) => number) => results.reduce((n, r) => n + pick(r), 0)
  return {
    started,
    results,
    finished,
    summary: summarise(results, {
      planned: started.checks.length,
      interrupted: finished?.interrupted ?? true,
      exchanges: sum((r) => r.exchanges),
      refusals: sum((r) => r.refusals),
    }),
    coverage: coverageOf(results),
  }
}
