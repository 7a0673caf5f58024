import type { TaskMessageListener } from 'polgate-service/tasks/taskUpdates.ts'
import { changedFrame, changedMessage, changedUpdate } from './frames.ts'
import type { Mutant } from './mutant.ts'
import type { Json } from './wrappedListeners.ts'

const inData = (change: (data: Json) => Json) =>
  changedUpdate((result) => ({ ...result, data: change(result.data) }))

const isFinal = (result: Json) => result?.data?.result !== null

/** Faults in subscriptions and updates (section 6.1). */
export const updateMutants: readonly Mutant[] = [
  {
    id: 'ws.params-null-refused',
    fault: 'refuses a subscribe message whose params are null',
    clauses: ['6.1-01'],
    parts: changedMessage((message) =>
      message?.type === 'subscribe' && message.params === null
        ? { ...message, params: [] }
        : message,
    ),
  },
  {
    id: 'ws.topic-prefix-not-known',
    fault: 'accepts topics that are only the task id',
    clauses: ['6.1-02'],
    parts: (markFired) => ({
      updateServer: (deps) => ({
        ...deps,
        brand: {
          get topicPrefix() {
            markFired()
            return ''
          },
        },
      }),
    }),
  },
  {
    id: 'ws.subscription-id-missing',
    fault: 'sends updates without the id of the subscription',
    clauses: ['6.1-03'],
    parts: changedFrame((frame) => {
      if (frame?.type !== 'update') return frame
      const { subscription: _, ...rest } = frame
      return rest
    }),
  },
  {
    id: 'ws.subscription-id-of-connection',
    fault: 'gives all subscriptions of a connection the same id',
    clauses: ['6.1-03'],
    parts: changedFrame((frame) =>
      frame?.subscription === undefined ? frame : { ...frame, subscription: 'subscription' },
    ),
  },
  {
    id: 'ws.update-without-task-id',
    fault: 'sends updates with taskId instead of task_id',
    clauses: ['6.1-04'],
    parts: changedUpdate(({ task_id, ...result }) => ({ ...result, taskId: task_id })),
  },
  {
    id: 'ws.event-as-number',
    fault: 'sends events as numbers',
    clauses: ['6.1-04'],
    parts: changedUpdate((result) => ({ ...result, event: result.event.length })),
  },
  {
    id: 'ws.timestamp-milliseconds',
    fault: 'sends the timestamps of updates in milliseconds',
    clauses: ['6.1-05'],
    parts: changedUpdate((result) => ({ ...result, timestamp: result.timestamp * 1000 })),
  },
  {
    id: 'ws.status-beside-data',
    fault: 'sends the status of an unfinished task next to data instead of in it',
    clauses: ['6.1-06'],
    parts: changedUpdate((result) => {
      if (isFinal(result)) return result
      const { status, ...data } = result.data
      return { ...result, status, data }
    }),
  },
  {
    id: 'ws.operator-responses-by-address',
    fault: 'sends operator_responses as an object by address',
    clauses: ['6.1-07'],
    parts: inData((data) => ({
      ...data,
      operator_responses: Object.fromEntries(
        data.operator_responses.map((each: Json) => [each.operator_address, each]),
      ),
    })),
  },
  {
    id: 'ws.end-without-result',
    fault: 'sends the end without the result',
    clauses: ['6.1-08'],
    parts: inData((data) => ({ ...data, result: null })),
  },
  {
    id: 'ws.progress-never-100',
    fault: 'sends the end with a progress of 99',
    clauses: ['6.1-09'],
    parts: inData((data) => ({ ...data, progress: Math.min(data.progress, 99) })),
  },
  {
    id: 'ws.progress-as-share',
    fault: 'sends the progress as a fraction',
    clauses: ['6.1-09'],
    parts: inData((data) => ({ ...data, progress: data.progress / 100 })),
  },
  {
    id: 'ws.event-completed',
    fault: 'names the event of a success completed',
    clauses: ['6.1-10'],
    parts: changedUpdate((result) =>
      result.event === 'success' ? { ...result, event: 'completed' } : result,
    ),
  },
  {
    id: 'ws.updates-to-all',
    fault: 'sends the updates of every task to every subscriber',
    clauses: ['6.1-11'],
    parts: (markFired) => ({
      updateServer(deps) {
        const all = new Set<TaskMessageListener>()
        return {
          ...deps,
          updates: {
            latest: deps.updates.latest,
            subscribe(taskId, listener) {
              const stop = deps.updates.subscribe(taskId, (news) => {
                listener(news)
                for (const each of all) {
                  if (each === listener || news.kind !== 'update') continue
                  markFired()
                  // Not as an end, which would end the other subscription.
                  each({ ...news, update: { ...news.update, event: 'status_update' } })
                }
              })
              all.add(listener)
              return () => {
                all.delete(listener)
                stop()
              }
            },
          },
        }
      },
    }),
  },
  {
    id: 'ws.late-without-responses',
    fault: 'sends no operator_responses to a late subscriber',
    clauses: ['6.1-16'],
    parts: (markFired) => ({
      updateServer: (deps) => ({
        ...deps,
        tasks: {
          ...deps.tasks,
          get: async (id) => {
            const record = await deps.tasks.get(id)
            if (!record?.operatorResponses) return record
            markFired()
            return { ...record, operatorResponses: null }
          },
        },
      }),
    }),
  },
  {
    id: 'ws.end-to-first-subscriber',
    fault: 'sends the end of a task only to its first subscriber',
    clauses: ['6.1-12'],
    parts: (markFired) => {
      const first = new Map<string, string>()
      return changedFrame((frame) => {
        if (frame?.type !== 'update' || !isFinal(frame.result)) return frame
        const { task_id } = frame.result
        if (!first.has(task_id)) first.set(task_id, frame.subscription)
        return first.get(task_id) === frame.subscription ? frame : undefined
      })(markFired)
    },
  },
]
