import type { TaskChainEvent, TaskTraceAnswer } from 'polgate-protocol/control/taskTrace.ts'
import type { WaterfallPart } from '../../ui/Waterfall.tsx'
import { chainEventNames } from './chainEvents.ts'

/** An event on chain as a part of the waterfall. */
export type ChainPart = WaterfallPart & {
  readonly within: number
  readonly event: TaskChainEvent
}

/** Times of blocks are whole seconds. */
const blockTimeMs = 1_000

/**
 * What happened to a task on chain, for its waterfall. A block tells the second only, so that each event is between
 * two times: not before the service began to post, and not after the end of that second.
 */
export function chainParts({
  startedAt,
  spans,
  chain,
}: Pick<TaskTraceAnswer, 'startedAt' | 'spans' | 'chain'>): readonly ChainPart[] {
  const zero = Date.parse(startedAt)
  const posting = spans.find(({ kind }) => kind === 'post')?.start ?? 0
  return chain.flatMap((event) => {
    if (event.at === null) return []
    const second = Date.parse(event.at) - zero
    const start = Math.max(second, posting)
    return {
      id: `chain ${event.kind} ${event.transaction}`,
      name: chainEventNames[event.kind],
      tone: event.kind === 'challenged' ? 'warn' : 'good',
      ...{ start, within: Math.max(0, second + blockTimeMs - start), event },
    }
  })
}
