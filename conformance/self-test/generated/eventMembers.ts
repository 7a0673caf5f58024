import { also, exact, now, type SpecifiedMembers, text, under } from './specified.ts'

/** Section 2.8, on both channels. */
const notification: SpecifiedMembers = {
  notification_id: {
    ...exact('2.8-01', '2.8-10', '5.5-03'),
  },
  task_id: exact('2.8-02'),
  timestamp: now('2.8-03'),
  failure_type: exact('2.8-04', '6.3-02', '6.3-03', '6.3-04'),
  error_message: text('2.8-05'),
  context: text('2.8-06', '2.8-07'),
  // How a gateway counts stake and operators is its own.
  'context.signed_stake': text('2.8-07'),
  'context.required_stake': text('2.8-07'),
  'context.operator_count': text('2.8-07'),
  is_recoverable: text('2.8-08'),
  retry_after_seconds: { ...text('2.8-09'), legal: { null: 'null is a valid value' } },
}

/** Sections 6.1 and 6.2. */
export const eventMembers: Readonly<Record<string, SpecifiedMembers>> = {
  'ws.subscribed': { '**': exact('6.1-14') },
  'ws.unsubscribed': { '**': exact('6.1-15') },
  'ws.error': { '**': exact('6.1-19') },
  'ws.update': {
    type: exact('6.1-03', '4.3-14'),
    subscription: exact('6.1-03'),
    result: exact('6.1-03'),
    'result.event': exact('6.1-04', '6.1-10'),
    'result.task_id': exact('6.1-04', '6.1-11'),
    'result.timestamp': now('6.1-05'),
    'result.data': exact('6.1-06', '6.1-07', '6.1-08', '6.1-09'),
    'result.data.status': exact('6.1-06', '3-01', '3-02', '3-03', '3-04'),
    'result.data.operator_responses': text('6.1-07'),
    'result.data.operator_responses[]': exact('6.1-22'),
    'result.data.operator_responses[].**': exact('6.1-22'),
    'result.data.result': exact('6.1-08'),
    'result.data.result.**': exact('6.1-21'),
    'result.data.progress': exact('6.1-09'),
  },
  'ws.notification': {
    type: exact('6.2-18'),
    subscription: exact('6.2-18'),
    // The envelope is open, but the whole notification is in it.
    result: { ...exact('6.2-02'), legal: { rename: 'the envelope is open (clause 6.2-18)' } },
    ...under('result', also(['6.2-02', '6.2-17'], notification)),
  },
  'webhook.notification': notification,
}
