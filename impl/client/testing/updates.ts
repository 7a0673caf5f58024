import type { TaskUpdate } from '../generated/rpcTypes.ts'

export const someTask = `0x${'ab'.repeat(32)}` as const

const response = {
  operator_address: `0x${'11'.repeat(20)}`,
  operator_id: `0x${'22'.repeat(32)}`,
  phase: 'data',
  success: true,
  error: null,
  timestamp: '2026-01-01T00:00:00.000Z',
} as const

/** An update of `someTask` with a number of operator responses. */
export const updateOf = (
  event: TaskUpdate['event'],
  status: TaskUpdate['data']['status'],
  progress: number,
  responses = 0,
): TaskUpdate => ({
  event,
  task_id: someTask,
  timestamp: 1,
  data: {
    status,
    operator_responses: Array.from({ length: responses }, () => response),
    result:
      event === 'failure'
        ? {
            status: 'failed',
            aggregation_response: null,
            error: 'Quorum not reached',
            timestamp: 1,
          }
        : null,
    progress,
  },
})

export const notificationOf = (id: string) => ({
  notification_id: id,
  task_id: someTask,
  timestamp: '2026-01-01T00:00:00.000Z',
  failure_type: 'quorum_not_reached',
  error_message: 'Quorum not reached',
  context: {},
  is_recoverable: true,
  retry_after_seconds: null,
})
