import { AsyncLocalStorage } from 'node:async_hooks'
import type { TaskSpan } from 'polgate-protocol/control/taskTrace.ts'
import type { HideSecrets } from './shownExchange.ts'
import type { RecordedSpan, RecordedTrace, Traces } from './traces.ts'

/** Where in a task some work is done. */
export type Scope = {
  readonly trace: RecordedTrace
  readonly parent: number | null
  readonly operator?: string
  /** During an oracle run. */
  readonly secrets?: HideSecrets
}

type NewSpan = Omit<TaskSpan, 'id' | 'start' | 'duration' | 'parent' | 'operator'>

/** Spans of work, in the scope of the task that it belongs to. Outside of tasks there are none. */
export type Recording = {
  readonly traces: Traces
  scope(): Scope | undefined
  within<T>(scope: Scope, work: () => T): T
  span<T>(
    span: NewSpan,
    work: (span: RecordedSpan | undefined) => Promise<T>,
    inner?: Partial<Scope>,
  ): Promise<T>
}

export function createRecording(traces: Traces): Recording {
  const storage = new AsyncLocalStorage<Scope>()
  return {
    traces,
    scope: () => storage.getStore(),
    within: (scope, work) => storage.run(scope, work),
    async span(facts, work, inner = {}) {
      const scope = storage.getStore()
      if (scope === undefined) return await work(undefined)
      const { trace, parent } = scope
      const operator = inner.operator ?? scope.operator
      const whose = operator === undefined ? {} : { operator }
      const span = traces.begin(trace, { ...facts, parent, ...whose })
      const own = { ...scope, ...inner, parent: span?.id ?? parent }
      try {
        const result = await storage.run(own, () => work(span))
        traces.end(trace, span)
        return result
      } catch (error) {
        traces.end(trace, span, error)
        throw error
      }
    },
  }
}
