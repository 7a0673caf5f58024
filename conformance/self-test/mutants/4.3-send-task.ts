import { changedFrame } from './frames.ts'
import type { Mutant } from './mutant.ts'
import { taskMethod } from './taskServiceFaults.ts'
import { answered, changedResult, type Json, wrapListener } from './wrappedListeners.ts'

const sent = (change: (result: Json) => Json) => changedResult('sendTask', change)

/** Faults of sendTask (section 4.3), and of the channel of its updates (section 4.11). */
export const sendTaskMutants: readonly Mutant[] = [
  {
    id: 'task.send-wants-write',
    fault: 'does not let a key with RpcRead send tasks',
    clauses: ['4.3-01'],
    parts: (markFired) =>
      wrapListener('wrapGatewayFetch', async ({ request, method, call }, pass) => {
        const response = await pass(request)
        if (method !== 'sendTask' || response.status !== 200) return response
        markFired()
        const error = { code: -32003, message: 'Insufficient permissions' }
        return answered(response, JSON.stringify({ jsonrpc: '2.0', error, id: call.id }), 403)
      })(),
  },
  {
    id: 'task.send-waits-for-end',
    fault: 'answers sendTask after the task has ended',
    clauses: ['4.3-02'],
    parts: taskMethod('sendTask', ({ tasks, ended, markFired }) => async (params, caller) => {
      const answer = await tasks.sendTask(params, caller)
      markFired()
      await ended(answer.task_id)
      return answer
    }),
  },
  {
    id: 'task.sent-id-without-prefix',
    fault: 'returns the id of a sent task without 0x',
    clauses: ['4.3-10'],
    parts: sent((result) => ({ ...result, task_id: result.task_id?.slice(2) })),
  },
  {
    id: 'ws.topic-without-prefix',
    fault: 'returns only the task id as subscription_topic',
    clauses: ['4.3-11'],
    parts: sent((result) => ({ ...result, subscription_topic: result.task_id })),
  },
  {
    id: 'task.sent-without-message',
    fault: 'answers sendTask without a message',
    clauses: ['4.3-12'],
    parts: sent(({ message: _, ...result }) => result),
  },
  {
    id: 'task.sent-timestamp-text',
    fault: 'returns the timestamp of sendTask as a date',
    clauses: ['4.3-13'],
    parts: sent((result) => ({
      ...result,
      timestamp: new Date(result.timestamp * 1000).toISOString(),
    })),
  },
  {
    id: 'ws.end-not-told',
    fault: 'sends no update for the end of a task',
    clauses: ['4.3-14', '4.11-01'],
    parts: changedFrame((frame) =>
      frame?.type === 'update' && frame.result?.data?.result !== null ? undefined : frame,
    ),
  },
  {
    id: 'task.sent-again-same-id',
    fault: 'answers a repeated submission of a finished task with the id of the first',
    clauses: ['4.3-19'],
    parts: (markFired) => {
      const before = new Map<string, Json>()
      return changedResult('sendTask', (result, { call }) => {
        const key = JSON.stringify(call.params)
        if (!before.has(key)) before.set(key, result)
        return before.get(key)
      })(markFired)
    },
  },
]
