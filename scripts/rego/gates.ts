import type { Case, SetName } from './cases.ts'

/** The result of one case. */
export type Result = {
  readonly case: Case
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  readonly wanted?: string
  readonly got?: string
  /** For cases with an expected error text: whether it matched. */
  readonly textMatches?: boolean
}

const OPA = 'the engines disagree, and this engine follows OPA:'

/**
 * Known failures with the reason. At most one percent of OPA's cases may be listed; of the second
 * set only cases that contradict OPA or exact numbers.
 */
export const KNOWN: Readonly<Record<string, string>> = {
  'builtins/comparison/tests#4': `${OPA} objects come before sets`,
  'builtins/numbers/mod#6': 'integers are exact at any size, so 1e16 has a remainder',
  'builtins/objects/json.patch#32': `${OPA} an operation that is not a string is a type error`,
  'builtins/semver/is_valid#1': `${OPA} a value that is not a string is not a version, without an error`,
  'builtins/semver/compare#0': 'not verified: the engine it was written for fails it as well',
  'default/basic#22': `${OPA} a variable of every must be used`,
  'default/basic#28': 'not verified: the engine it was written for fails it as well',
  'builtins/strings/sprintf#1': `${OPA} %f has six digits, %O no capital prefix`,
  'builtins/time/format#0': `${OPA} fractions of seconds have no trailing zeros`,
  'builtins/time/format#1': `${OPA} fractions of seconds have no trailing zeros`,
  'data/tests#1': `${OPA} data at the path of a rule are a compile error`,
  'import/tests#5': `${OPA} an import wins over a rule of its name`,
}

export type Gate = {
  readonly name: string
  readonly passed: number
  readonly total: number
  /** Failures listed in {@link KNOWN}, which do not count. */
  readonly known: number
  /** Required share of passed cases, 0..1. */
  readonly required: number
  readonly holds: boolean
}

type Rule = {
  readonly name: string
  readonly set: SetName
  readonly required: number
  /** Maximum share of excused cases. */
  readonly excusable: number
  readonly counts: (of: Case) => boolean
}

const RULES: readonly Rule[] = [
  {
    name: 'OPA cases that need no newer version and no network',
    set: 'opa',
    required: 1,
    excusable: 0.01,
    counts: (c) => c.since === undefined,
  },
  {
    name: 'OPA cases of newer versions',
    set: 'opa',
    required: 0.9,
    excusable: 0,
    counts: (c) => c.since !== undefined,
  },
  {
    name: 'regorus cases, same and converted, without extension',
    set: 'regorus',
    required: 1,
    excusable: 0.03,
    counts: (c) => c.status === 'same' || c.status === 'converted',
  },
  {
    name: 'negative codes observed with OPA',
    set: 'negative',
    required: 1,
    excusable: 0,
    counts: (c) => c.source === 'opa-0.47',
  },
  {
    name: 'expressions on the recommended side',
    set: 'expr',
    required: 1,
    excusable: 0,
    counts: () => true,
  },
]

/**
 * Whether enough cases passed. Skipped cases and those in {@link KNOWN} do not count, within the
 * allowed share.
 */
export const gates = (results: readonly Result[]): readonly Gate[] =>
  RULES.flatMap((rule) => {
    const counted = results.filter(
      (r) => r.case.set === rule.set && r.status !== 'skipped' && rule.counts(r.case),
    )
    if (counted.length === 0) return []
    const failed = counted.filter((r) => r.status === 'failed')
    const known = failed.filter((r) => KNOWN[r.case.id] !== undefined)
    const excused = known.length <= counted.length * rule.excusable ? known.length : 0
    const total = counted.length
    const passed = total - failed.length
    return [
      {
        name: rule.name,
        passed,
        total,
        known: excused,
        required: rule.required,
        holds: passed + excused >= rule.required * total,
      },
    ]
  })
