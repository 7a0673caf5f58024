import type { CheckFinished, Evidence } from '../../core/events.ts'
import { evidenceSurfaces } from '../../core/lazyEvidence.ts'
import { surfacesOf } from '../../core/surfaces.ts'

/** One task as seen on all surfaces, in order of time. */
export type TaskLife = {
  readonly taskId: string
  readonly check: string
  readonly seen: readonly Evidence[]
  readonly surfaces: number
}

/** A task id in a context that identifies it as one. */
const idForms = /(?:task_?id"\s*:\s*"|\/task\/|\.task\.)(0x[0-9a-f]{64})/gi

function textOf(seen: Evidence): string {
  if (seen.kind === 'exchange') return `${seen.request.url} ${seen.request.body} ${seen.body}`
  if (seen.kind === 'unanswered') return `${seen.request.url} ${seen.request.body}`
  if (seen.kind === 'frame') return seen.text
  return seen.kind === 'webhook' ? seen.body : ''
}

const memberOf = (text: string, name: string): string | undefined =>
  new RegExp(`"${name}"\\s*:\\s*"([^"]{1,100})"`).exec(text)?.[1]

const taskIdsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(idForms)].map(([, id]) => id!.toLowerCase()))

/**
 * Evidence about a task: whatever contains its id, the frames of a subscription opened for it, and
 * the blocks between the first and the last of these.
 */
function lifeOf(taskId: string, result: CheckFinished): TaskLife {
  const texts = new Map(result.evidence.map((seen) => [seen, textOf(seen)]))
  const told = (seen: Evidence) => texts.get(seen)!.toLowerCase().includes(taskId)
  const asked = new Set(
    result.evidence
      .filter((seen) => seen.kind === 'frame' && seen.from === 'suite' && told(seen))
      .flatMap((seen) => memberOf(texts.get(seen)!, 'id') ?? []),
  )
  const opened = new Set(
    result.evidence.flatMap((seen) => {
      const text = texts.get(seen)!
      const answers = seen.kind === 'frame' && asked.has(memberOf(text, 'id') ?? '')
      return answers ? (memberOf(text, 'subscription') ?? []) : []
    }),
  )
  const belongs = (seen: Evidence) => {
    if (told(seen)) return true
    if (seen.kind !== 'frame') return false
    const text = texts.get(seen)!
    const ids = taskIdsIn(text)
    // A frame that names another task belongs to that one, whatever its subscription.
    if (ids.size > 0) return false
    return asked.has(memberOf(text, 'id') ?? '') || opened.has(memberOf(text, 'subscription') ?? '')
  }
  const own = result.evidence.filter(belongs)
  const from = Math.min(...own.map(({ at }) => at))
  const to = Math.max(...own.map((seen) => seen.at + (seen.kind === 'exchange' ? seen.ms : 0)))
  const blocks = result.evidence.filter(
    (seen) => seen.kind === 'block' && seen.at >= from && seen.at <= to,
  )
  const seen = [...own, ...blocks].sort((a, b) => a.at - b.at)
  return { taskId, check: result.id, seen, surfaces: surfacesOf(seen) }
}

/** The tasks of one check, the one seen on most surfaces first. */
export function taskLives(result: CheckFinished): readonly TaskLife[] {
  const ids = taskIdsIn(result.evidence.map(textOf).join('\n'))
  return [...ids]
    .map((id) => lifeOf(id, result))
    .sort((a, b) => b.surfaces - a.surfaces || b.seen.length - a.seen.length)
}

/**
 * The task shown for a run: of a failed check, if it was seen on as many surfaces as others; undefined
 * where none was seen on two.
 */
export function notifyingTask(results: readonly CheckFinished[]): TaskLife | undefined {
  const failedFirst = [...results].sort(
    (a, b) => Number(b.verdict === 'failed') - Number(a.verdict === 'failed'),
  )
  let best: TaskLife | undefined
  for (const result of failedFirst) {
    if (evidenceSurfaces(result) < (best?.surfaces ?? 2)) continue
    const life = taskLives(result)[0]
    if (life === undefined) continue
    const more = life.surfaces - (best?.surfaces ?? 0)
    const sameCheckKind = best !== undefined && more === 0
    if (
      more > 0 ||
      (sameCheckKind && !wasFailed(results, best!) && life.seen.length > best!.seen.length)
    )
      best = life
  }
  return best
}

const wasFailed = (results: readonly CheckFinished[], life: TaskLife) =>
  results.some(({ id, verdict }) => id === life.check && verdict === 'failed')
