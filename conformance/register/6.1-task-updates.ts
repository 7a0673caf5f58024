import { sectionClauses } from './clause.ts'

/** Section 6.1: updates over the WebSocket. */
export const section6_1 = sectionClauses('6.1', {
  '01': '{type: subscribe, id, method: <topic>, params: null} subscribes.',
  '02': 'A topic is service.task.<task_id>.',
  '03': 'An update is {type: update, subscription, result}; subscription is the id of the subscription.',
  '04': 'result.event is a string and result.task_id is the task’s id.',
  '05': 'result.timestamp is in unix seconds.',
  '06': 'result.data.status is the status of the task.',
  '07': 'result.data.operator_responses is an array.',
  '08': 'result.data.result is an object, at the latest when the task has ended.',
  '09': 'result.data.progress is a number, 100 when the task has ended.',
  '10': 'The event of a task that succeeded is success.',
  '11': 'A subscriber receives updates of its own topics only.',
  '12': 'Every subscriber of a task receives its end.',
  '13': { text: 'Other kinds of events.', open: true },
  '14': { text: 'The response to subscribe.', open: true },
  '15': { text: 'How a subscription is ended.', open: true },
  '16': { text: 'What a late subscriber receives.', open: true },
  '17': {
    text: 'The response for a topic of an unknown task, and for a malformed topic.',
    open: true,
  },
  '18': { text: 'The limits of subscriptions and frames.', open: true },
  '19': { text: 'The response to an invalid message.', open: true },
  '20': { text: 'Whether progress may decrease, and its intermediate values.', open: true },
  '21': { text: 'The content of result.data.result.', open: true },
  '22': { text: 'The members of operator_responses.', open: true },
  '23': { text: 'Whether tasks of createTask can be subscribed to.', open: true },
})
