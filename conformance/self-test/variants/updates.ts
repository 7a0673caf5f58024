import { changedFrame, changedUpdate } from '../mutants/frames.ts'
import type { Json } from '../mutants/wrappedListeners.ts'
import { connectionVariants } from './connections.ts'
import { sending, subscriptionVariants } from './subscriptions.ts'
import type { Variant } from './variant.ts'

/** Other choices in sections 6.1 and 6.2: updates and failures on the WebSocket. */
type Parts = NonNullable<Variant['parts']>

const unmarked = () => undefined

const update =
  (change: (result: Json) => Json): Parts =>
  () =>
    changedUpdate(change)(unmarked)

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ends = ['success', 'failed', 'timeout']
const hasEnded = (result: Json): boolean => ends.includes(result?.data?.status)

/** Changes data of updates. */
const data = (change: (data: Json, result: Json) => Json) =>
  update((result) =>
    isObject(result?.data) ? { ...result, data: change(result.data, result) } : result,
  )

/** Changes the content of `result.data.result`, where there is one. */
const outcome = (change: (outcome: Json) => Json) =>
  data((each) => (isObject(each.result) ? { ...each, result: change(each.result) } : each))

const otherNames: Readonly<Record<string, string>> = {
  status_update: 'task.state',
  operator_response: 'task.vote',
  failure: 'task.failed',
}

/** Changes the envelope of failure notifications. */
const envelope = (change: (notification: Json, subscription: string) => Json): Parts =>
  sending((frame) =>
    frame?.type === 'notification' ? change(frame.result, frame.subscription) : frame,
  )

/** Tasks of sendTask: `createTask` has a result, and needs no updates. */
const onlySent: Parts = () => {
  const sent = new Set<string>()
  return {
    tasks: (tasks) => ({
      ...tasks,
      sendTask: async (params, caller) => {
        const answer = await tasks.sendTask(params, caller)
        sent.add(answer.task_id.toLowerCase())
        return answer
      },
    }),
    updateServer: (deps) => ({
      ...deps,
      tasks: {
        ...deps.tasks,
        get: async (id) => (sent.has(id.toLowerCase()) ? deps.tasks.get(id) : undefined),
      },
    }),
  }
}

/** The last state that a connection was told of a task. */
function inUpdates(): Parts {
  return () => {
    const told = new Map<string, Json>()
    return sending((frame) => {
      if (frame?.type === 'update') told.set(String(frame.result?.task_id), frame.result?.data)
      if (frame?.type !== 'notification') return frame
      const { result: notification, subscription } = frame
      const last = told.get(String(notification?.task_id))
      return {
        type: 'update',
        subscription,
        result: {
          event: 'failure_details',
          task_id: notification.task_id,
          timestamp: Math.floor(Date.parse(notification.timestamp) / 1000),
          data: {
            status: 'failed',
            operator_responses: [],
            result: {},
            progress: 100,
            ...last,
            notification,
          },
        },
      }
    })()
  }
}

export const updateVariants: readonly Variant[] = [
  ...connectionVariants,
  ...subscriptionVariants,
  {
    id: 'ws.other-events',
    clauses: ['6.1-13'],
    choice: 'has other names for events than success',
    parts: update((result) => ({ ...result, event: otherNames[result?.event] ?? result?.event })),
  },
  {
    id: 'ws.only-ends',
    clauses: ['6.1-13'],
    choice: 'sends the end of a task, and no update before it',
    parts: () =>
      changedFrame((frame) =>
        frame?.type === 'update' && !hasEnded(frame.result) ? undefined : frame,
      )(unmarked),
  },
  {
    id: 'ws.progress-decreases',
    clauses: ['6.1-20'],
    choice: 'sends the progress of the current phase, which starts again, with decimals',
    parts: data((each, result) =>
      hasEnded(result) ? each : { ...each, progress: 95.5 - (each.progress ?? 0) },
    ),
  },
  {
    id: 'ws.progress-at-end',
    clauses: ['6.1-20'],
    choice: 'sends a progress of 0 until the end',
    parts: data((each, result) => (hasEnded(result) ? each : { ...each, progress: 0 })),
  },
  {
    id: 'ws.result-summary',
    clauses: ['6.1-21', '4.3-01', '4.12-36', '7.2-04'],
    choice: 'sends a summary as the result of a task',
    parts: outcome(({ status, error, aggregation_response }) => ({
      outcome: status,
      signed: Boolean(aggregation_response),
      ...(error ? { reason: error } : {}),
    })),
  },
  {
    id: 'ws.result-empty',
    clauses: ['6.1-21'],
    choice: 'sends an empty object as the result of a task',
    parts: outcome(() => ({})),
  },
  {
    id: 'ws.result-unsigned',
    clauses: ['6.1-21', '4.3-01', '4.12-36', '7.2-04'],
    choice: 'sends the response of a task without its signature and aggregate',
    parts: outcome(({ task, task_response: response, error }) => {
      const { signature_data: _, ...unsigned } = response ?? {}
      return {
        task: { id: task?.taskId ?? null, client: task?.policyClient ?? null },
        task_response: { bytes: unsigned.evaluation_result ?? [] },
        error: error ?? null,
      }
    }),
  },
  {
    id: 'ws.responses-short',
    clauses: ['6.1-22'],
    choice: 'lists the operators that responded by their addresses alone',
    parts: data((each) => ({
      ...each,
      operator_responses: [each.operator_responses ?? []]
        .flat()
        .map((response: Json) => response?.operator_address ?? response),
    })),
  },
  {
    id: 'ws.responses-other-members',
    clauses: ['6.1-22'],
    choice: 'has other members in operator_responses',
    parts: data((each) => ({
      ...each,
      operator_responses: [each.operator_responses ?? []].flat().map((response: Json) => ({
        operator: response?.operator_id ?? response,
        signature: null,
        ok: response?.success !== false,
      })),
    })),
  },
  {
    id: 'ws.responses-empty',
    clauses: ['6.1-22'],
    choice: 'does not report operator responses',
    parts: data((each) => ({ ...each, operator_responses: [] })),
  },
  {
    id: 'ws.created-not-followed',
    clauses: ['6.1-23', '4.12-36'],
    choice: 'offers updates of tasks of sendTask only',
    parts: onlySent,
  },
  {
    id: 'ws.failure-bare',
    clauses: ['6.2-18'],
    choice: 'sends a failure notification without an envelope',
    parts: envelope((notification) => notification),
  },
  {
    id: 'ws.failure-in-list',
    clauses: ['6.2-18'],
    choice: 'sends failure notifications in lists',
    parts: envelope((notification, subscription) => ({
      event: 'failures',
      subscriptions: [subscription],
      failures: [notification],
    })),
  },
  {
    id: 'ws.failure-json-rpc',
    clauses: ['6.2-18'],
    choice: 'sends a failure notification in the form of a JSON-RPC notification',
    parts: envelope((notification, subscription) => ({
      jsonrpc: '2.0',
      method: 'task_failed',
      params: { subscription, result: { version: 1, body: { notification } } },
    })),
  },
  {
    id: 'ws.failure-in-update',
    clauses: ['6.2-18', '6.1-13'],
    choice: 'sends a failure notification in an update of the task',
    parts: inUpdates(),
  },
]
