import { sectionOf } from 'polgate-conformance/core/check.ts'
import { expectedMs } from 'polgate-conformance/core/durations.ts'
import { parseSeed } from 'polgate-conformance/core/seed.ts'
import { selectChecks } from 'polgate-conformance/core/select.ts'
import { effectsOf, type TaggedCheck, tagsOf } from 'polgate-conformance/core/tags.ts'
import type {
  ConformanceCatalogue,
  ConformanceSelection,
} from 'polgate-protocol/control/conformance.ts'

/** The checks of the suite as the control API shows them. */
export const catalogueOf = (checks: readonly TaggedCheck[]): ConformanceCatalogue => ({
  checks: checks.map((check) => ({
    id: check.id,
    title: check.title,
    section: sectionOf(check),
    clauses: [...check.clauses],
    level: check.level,
    needs: [...check.needs],
    tags: [...tagsOf(check)],
    writes: [...effectsOf(check)],
    expectedMs: expectedMs(check),
  })),
})

/**
 * The number of selected checks.
 *
 * @throws CannotRun for an id or a clause that matches nothing, with the nearest one, or an invalid seed
 */
export function countSelected(
  checks: readonly TaggedCheck[],
  { only, clause, level, seed }: ConformanceSelection,
): number {
  if (seed !== undefined) parseSeed(seed)
  return selectChecks(checks, {
    only,
    ...(clause === undefined ? {} : { clause: [clause] }),
    ...(level === undefined ? {} : { level: [level] }),
  }).length
}

/** Each argument is one pattern: a system limits the length of an argument. */
const idsInPattern = 200

const escaped = (id: string) => id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function patternsOf(ids: readonly string[]): readonly string[] {
  const some = ids.slice(0, idsInPattern)
  if (some.length === 0) return []
  return [`^(${some.map(escaped).join('|')})$`, ...patternsOf(ids.slice(idsInPattern))]
}

/** The selection as options of `polgate certify`. */
export const selectionArgs = ({
  only = [],
  clause,
  level,
  seed,
}: ConformanceSelection): readonly string[] => [
  ...patternsOf(only).flatMap((pattern) => ['--grep', pattern]),
  ...(clause === undefined ? [] : ['--clause', clause]),
  ...(level === undefined ? [] : ['--level', level]),
  ...(seed === undefined ? [] : ['--seed', seed]),
]

const shownIds = 3

/** A command for a person: many ids are named by their number. */
export function shownCommand(selection: ConformanceSelection, target: string): string {
  const { only = [], ...others } = selection
  const few = only.length <= shownIds
  const args = selectionArgs(few ? selection : others)
  const shown = args.map((arg) => (/^[\w.:/=-]+$/.test(arg) ? arg : `'${arg}'`))
  const many = few ? '' : ` --grep ...  # ${only.length} checks, each by its id`
  return `${['polgate certify', '--target', target, ...shown].join(' ')}${many}`
}
