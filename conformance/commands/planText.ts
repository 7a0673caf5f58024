import { counted } from 'polgate-lib/text/counted.ts'
import { type CheckInfo, sectionOf } from '../core/check.ts'
import { expectedMs } from '../core/durations.ts'
import { effectsOf, type TaggedCheck, tagsOf } from '../core/tags.ts'
import type { Plan } from '../runner/plan.ts'

/** One check of a plan, as JSON. */
export const plannedJson = (check: TaggedCheck) => ({
  id: check.id,
  title: check.title,
  section: sectionOf(check),
  clauses: check.clauses,
  level: check.level,
  ...(check.own === undefined ? {} : { own: check.own }),
  needs: check.needs,
  ...(check.uses === undefined ? {} : { uses: check.uses }),
  tags: tagsOf(check),
  writes: effectsOf(check),
  expectedMs: expectedMs(check),
})

function planLine(check: CheckInfo): string {
  const effects = effectsOf(check)
  const marks = [
    ...(check.exclusive ? ['alone'] : []),
    ...(effects.length > 0 ? [`writes: ${effects.join(', ')}`] : ['reads']),
  ]
  return `${sectionOf(check).padEnd(5)} ${check.level.padEnd(6)} ${check.id}  (${marks.join('; ')})`
}

/** The checks that a run would execute, and which of them write. */
export function planReport(plan: Plan, target: string): string {
  const { checks, of, shard } = plan
  const writing = checks.filter((check) => effectsOf(check).length > 0)
  const alone = checks.filter((check) => check.exclusive)
  const own = checks.filter((check) => check.own !== undefined)
  const effects = new Map<string, number>()
  for (const check of writing)
    for (const effect of effectsOf(check)) effects.set(effect, (effects.get(effect) ?? 0) + 1)
  return [
    ...checks.map(planLine),
    '',
    `target   ${target}`,
    `checks   ${checks.length - own.length} of ${of}${shard === undefined ? '' : `, part ${shard.index} of ${shard.count}`}, ${alone.length} alone`,
    ...(own.length === 0 ? [] : [`own      ${counted(own.length, 'check')} of the gateway's own`]),
    `writes   ${counted(writing.length, 'check')}${writing.length === 0 ? '' : `: ${[...effects].map(([name, count]) => `${name} ${count}`).join(', ')}`}`,
    'no requests were sent',
    '',
  ].join('\n')
}
