import { type Context, type Link, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import type { TaskChain } from '../tasks/taskChain.ts'
import { attribute } from './attributes.ts'
import type { TaskTraces } from './taskTraces.ts'
import type { Tracing } from './tracing.ts'

/**
 * Posting in the traces of the tasks. One transaction posts several: its span, with the requests to the
 * node, is in the trace of the first of them, and each task has a span `post` that links to it. Results
 * of tasks that are not traced are posted without a span.
 */
export const tracedPosting = (
  tracing: Tracing,
  traces: TaskTraces,
  chain: TaskChain,
): TaskChain => ({
  ...chain,
  async post(answers) {
    const ids = answers.map(({ task }) => task.taskId)
    const found = await traces.find(ids)
    const contexts = ids.map((id) => found.get(id.toLowerCase()))
    const [first, ...others] = contexts.filter((each) => each !== undefined)
    if (first === undefined) return await chain.post(answers)
    const startTime = Date.now()
    let batch: Link | undefined
    const ends = await tracing.span(
      'post together',
      {
        parent: first,
        kind: 'client',
        attributes: { [attribute.tasks]: ids.length, [attribute.chainId]: chain.chainId },
        links: others.flatMap(linkTo),
      },
      async (span) => {
        batch = { context: span.spanContext() }
        return await chain.post(answers)
      },
    )
    ends.forEach((end, at) => {
      const parent = contexts[at]
      if (parent === undefined) return
      tracing.ended('post', {
        parent,
        startTime,
        attributes: { [attribute.taskId]: ids[at] as string },
        links: batch === undefined ? [] : [batch],
        ...(end.status === 'rejected' && { error: end.reason }),
      })
    })
    return ends
  },
})

function linkTo(context: Context): readonly Link[] {
  const span = trace.getSpanContext(context ?? ROOT_CONTEXT)
  return span === undefined ? [] : [{ context: span }]
}
