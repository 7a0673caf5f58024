import { differences } from 'polgate-rego/differences/catalogue.ts'
import type { Difference, Answer as Listed } from 'polgate-rego/differences/difference.ts'
import type { Answer, DiffProgram, PeerName } from './answers.ts'
import { ENGINE_BUILTIN_MATCHERS } from './engineBuiltinMatchers.ts'
import { ENGINE_MATCHERS } from './engineMatchers.ts'
import type { Found } from './engines.ts'
import { Evidence } from './evidence.ts'
import { featuresOf } from './features.ts'
import { LANGUAGE_MATCHERS } from './languageMatchers.ts'
import type { Matcher } from './matcher.ts'
import { MATCHERS } from './matchers.ts'
import { OPA_BUILTIN_MATCHERS } from './opaBuiltinMatchers.ts'
import { OPA_NUMBER_MATCHERS } from './opaNumberMatchers.ts'

/** In nearly every program. */
const COMMON: ReadonlySet<string> = new Set([
  'package',
  'rule: complete',
  'rule: bodiless',
  'literal: term',
  'boolean',
  'number',
  'string',
  'var',
  'reference',
  'call',
])

/** An entry of the page that a difference may be an example of. */
export type Listing = {
  readonly id: string
  /** As in `Matcher`. */
  readonly isExact: boolean
}

type Rule = Listing & { readonly matches: (evidence: Evidence) => boolean }

/** The listed difference that a difference is an example of; undefined: it is not listed. */
export function listingOf(found: Found, listed: readonly Rule[] = rules()): Listing | undefined {
  // A fault of this engine is no entry's.
  if (found.ours.kind === 'error' && found.ours.codes[0] === 'eval_internal_error') return undefined
  const evidence = new Evidence(found)
  return listed.find(({ matches }) => matches(evidence))
}

/** The id of its entry. */
export const listedAs = (found: Found, listed?: readonly Rule[]): string | undefined =>
  listingOf(found, listed)?.id

const ALL: readonly Readonly<Record<string, Matcher | readonly Matcher[]>>[] = [
  MATCHERS,
  LANGUAGE_MATCHERS,
  OPA_BUILTIN_MATCHERS,
  OPA_NUMBER_MATCHERS,
  ENGINE_BUILTIN_MATCHERS,
  ENGINE_MATCHERS,
]

let known: readonly Rule[] | undefined

/** The matchers of each entry of the page: its own, or one made from its program and answers; exact ones first. */
export function rules(): readonly Rule[] {
  known ??= differences
    .flatMap((entry) => {
      const own = ALL.flatMap((matchers) => matchers[entry.id] ?? [])
      const { id } = entry
      if (own.length === 0) return [{ id, isExact: false, isOwn: false, matches: byExample(entry) }]
      return own.map((each) => ({
        id,
        isExact: each.exact ?? false,
        isOwn: true,
        matches: byMatcher(each),
      }))
    })
    .sort((x, y) => rank(y) - rank(x))
  return known
}

/** An example says less than a matcher. */
const rank = ({ isExact, isOwn }: { isExact: boolean; isOwn: boolean }): number =>
  isExact ? 2 : isOwn ? 1 : 0

/** Whether everything that a matcher names applies. */
const byMatcher =
  ({ peer, calls, kinds, source, ours, theirs, rules, alike, made, cause, exact }: Matcher) =>
  (evidence: Evidence): boolean => {
    const { found, features } = evidence
    return (
      (peer === undefined || peer === found.peer) &&
      (calls === undefined || calls.some((name) => features.calls.has(name))) &&
      (kinds === undefined || kinds.every((kind) => features.kinds.has(kind))) &&
      (source === undefined ||
        found.program.modules.some((module) => source.test(module.source))) &&
      (ours === undefined || ours.test(brief(found.ours))) &&
      (theirs === undefined || theirs.test(brief(found.theirs))) &&
      (rules === undefined || rules <= features.rules) &&
      (alike === undefined || alike(found.ours, found.theirs)) &&
      (made === undefined || evidence.calls.some(made)) &&
      (cause === undefined || cause(evidence)) &&
      (exact === undefined || evidence.isOwn())
    )
  }

/** A program with all that is special in the example, and answers of the same sorts. */
function byExample(entry: Difference): Rule['matches'] {
  const { kinds, calls } = featuresOf(programOf(entry))
  const special = [...kinds].filter((kind) => !COMMON.has(kind))
  // One feature says too little.
  if (special.length + calls.size < 2) return () => false
  return ({ found, features }) => {
    const { ours, theirs } = answersOf(entry, found.peer)
    return (
      theirs !== undefined &&
      ours !== theirs &&
      sortOf(ours) === sortOf(brief(found.ours)) &&
      sortOf(theirs) === sortOf(brief(found.theirs)) &&
      // Two values may differ for any reason.
      [sortOf(ours), sortOf(theirs)].some((each) => each !== 'value') &&
      special.every((kind) => features.kinds.has(kind)) &&
      [...calls].every((name) => features.calls.has(name))
    )
  }
}

export const answersOf = ({ here, opa, regorus }: Difference, peer: PeerName) =>
  peer === 'opa' ? { ours: here['opa-1.2'], theirs: opa } : { ours: here.service, theirs: regorus }

export const programOf = ({ program, id }: Difference): DiffProgram => ({
  modules: program.modules.map((source, i) => ({ name: `${id}-${i}.rego`, source })),
  query: program.query ?? 'data.test.p',
  strict: program.strict ?? false,
  ...(program.input === undefined ? {} : { input: JSON.stringify(program.input) }),
  ...(program.data === undefined ? {} : { data: JSON.stringify(program.data) }),
})

/** As the page writes answers; errors with their message. */
function brief(answer: Answer): string {
  switch (answer.kind) {
    case 'value':
      return answer.text
    case 'undefined':
      return 'undefined'
    case 'error':
      return `${answer.codes[0]}: ${answer.message}`
    case 'none':
      return 'none'
  }
}

const sortOf = (answer: Listed): string =>
  answer === 'undefined' || answer === 'none'
    ? answer
    : (/^(\w+_error|error)\b/.exec(answer)?.[0] ?? 'value')
