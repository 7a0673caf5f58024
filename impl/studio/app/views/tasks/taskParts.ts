import type { TaskSpan, TaskTraceAnswer } from 'polgate-protocol/control/taskTrace.ts'
import type { Tone } from '../../ui/Badge.tsx'
import type { WaterfallPart } from '../../ui/Waterfall.tsx'

/** Kinds that matter to the service more than to a policy. */
const details: readonly TaskSpan['kind'][] = ['chain', 'store', 'component']

function toneOf({ error, exchange, kind }: TaskSpan): Tone {
  if (error !== undefined) return 'bad'
  if (kind === 'http' && (exchange?.response?.status ?? 0) >= 400) return 'warn'
  return kind === 'rego' || kind === 'post' ? 'good' : 'neutral'
}

function nameOf({ name, kind, exchange }: TaskSpan): string {
  if (kind !== 'http' || exchange === undefined) return name
  const status = exchange.response === null ? 'no response' : exchange.response.status
  return `${name === exchange.method ? `${name} ${exchange.url}` : name} → ${status}`
}

/**
 * The parts of a task for a waterfall.
 *
 * @param given.all also reads of the chain, the store and loading; otherwise their parts move up
 * @param given.operator only its parts, and those of no operator
 */
export function partsOf(
  spans: readonly TaskSpan[],
  given: { readonly all: boolean; readonly operator?: string | undefined },
): readonly WaterfallPart[] {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const isShown = ({ kind, operator }: TaskSpan) =>
    (given.all || !details.includes(kind)) &&
    (given.operator === undefined ||
      operator === undefined ||
      operator.toLowerCase() === given.operator.toLowerCase())
  const shownParent = ({ parent }: TaskSpan): TaskSpan | undefined => {
    const found = parent === null ? undefined : byId.get(parent)
    return found === undefined || isShown(found) ? found : shownParent(found)
  }
  return spans.filter(isShown).map((span) => {
    const parent = shownParent(span)
    // Below a part of the same operator its name says nothing new.
    const owner = span.operator === parent?.operator ? undefined : span.operator
    return {
      id: String(span.id),
      start: span.start,
      end: span.duration === null ? null : span.start + span.duration,
      name: nameOf(span),
      tone: toneOf(span),
      ...(parent === undefined ? {} : { parent: String(parent.id) }),
      ...(owner === undefined ? {} : { owner }),
    }
  })
}

/** The part where a task failed: the innermost of the first that did. */
export function failedPart(parts: readonly WaterfallPart[]): WaterfallPart | undefined {
  const byId = new Map(parts.map((part) => [part.id, part]))
  const within = ({ parent }: WaterfallPart): readonly string[] =>
    parent === undefined ? [] : [parent, ...within(byId.get(parent)!)]
  const failed = parts.filter(({ tone }) => tone === 'bad')
  const outer = new Set(failed.flatMap(within))
  return failed.find(({ id }) => !outer.has(id))
}

/** Milliseconds from the first to the last part that has ended; undefined without any. */
export function wholeDuration({ spans }: Pick<TaskTraceAnswer, 'spans'>): number | undefined {
  const task = spans.find(({ kind }) => kind === 'task')
  return task?.duration === null || task === undefined ? undefined : task.start + task.duration
}
