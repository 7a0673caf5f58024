import type { Case, SetName } from './cases.ts'

/** What became of one case. */
export type Result = {
  readonly case: Case
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  readonly wanted?: string
  readonly got?: string
  /** Of the cases that want a text of the error: was it as wanted? */
  readonly textMatches?: boolean
}

/** Cases that cannot pass, with the reason; at most one in a hundred of OPA's. */
export const KNOWN: Readonly<Record<string, string>> = {}

export type Gate = {
  readonly name: string
  readonly passed: number
  readonly total: number
  /** Share of `total` that has to pass, 0..1. */
  readonly required: number
  readonly holds: boolean
}

type Rule = {
  readonly name: string
  readonly set: SetName
  readonly required: number
  readonly counts: (of: Case) => boolean
}

const RULES: readonly Rule[] = [
  {
    name: 'OPA cases that need no newer version and no network',
    set: 'opa',
    required: 1,
    counts: (c) => c.since === undefined,
  },
  {
    name: 'OPA cases of newer versions',
    set: 'opa',
    required: 0.9,
    counts: (c) => c.since !== undefined,
  },
  {
    name: 'regorus cases, same and converted, without extension',
    set: 'regorus',
    required: 1,
    counts: (c) => c.status === 'same' || c.status === 'converted',
  },
  {
    name: 'negative codes observed with OPA',
    set: 'negative',
    required: 1,
    counts: (c) => c.source === 'opa-0.47',
  },
  { name: 'expressions on the recommended side', set: 'expr', required: 1, counts: () => true },
]

/**
 * Whether enough cases pass. Skipped cases do not count; a failure that {@link KNOWN} names
 * does not count either, as long as those are at most 1 % of the gate's cases.
 */
export const gates = (results: readonly Result[]): readonly Gate[] =>
  RULES.flatMap((rule) => {
    const counted = results.filter(
      (r) => r.case.set === rule.set && r.status !== 'skipped' && rule.counts(r.case),
    )
    if (counted.length === 0) return []
    const failed = counted.filter((r) => r.status === 'failed')
    const known = failed.filter((r) => KNOWN[r.case.id] !== undefined)
    const excused = known.length <= counted.length / 100 ? known.length : 0
    const total = counted.length
    const passed = total - failed.length
    return [
      {
        name: rule.name,
        passed,
        total,
        required: rule.required,
        holds: passed + excused >= rule.required * total,
      },
    ]
  })
