import { sectionClauses } from './clause.ts'

/** Section 6.1: updates over the WebSocket. */
export const section6_1 = sectionClauses('6.1', {
  '01': 'A message of type subscribe with an id, a topic as method and params null subscribes.',
  '02': 'A topic is the prefix and the task id.',
  '03': 'An update is of type update and carries subscription, the id of the subscription.',
  '04': 'result.event is a string and result.task_id the task.',
  '05': 'result.timestamp is in unix seconds.',
  '06': 'result.data.status is the status of the task.',
  '07': 'result.data.operator_responses is an array.',
  '08': 'result.data.result is an object, at the latest when the task is complete.',
  '09': 'result.data.progress is a number, 100 when complete.',
  '10': 'The event of a task that succeeded is success.',
  '11': 'A subscriber is sent updates of its topics alone.',
  '12': 'Every subscriber of a task is told its end.',
  '13': { text: 'Other kinds of events.', open: true },
  '14': { text: 'The answer to subscribe.', open: true },
  '15': { text: 'How a subscription is ended.', open: true },
  '16': { text: 'What a subscriber is sent who comes late.', open: true },
  '17': { text: 'What a topic of no task, and a malformed one, is answered.', open: true },
  '18': { text: 'Limits of subscriptions and frames.', open: true },
  '19': { text: 'What a message that is none is answered.', open: true },
  '20': { text: 'Whether progress may go back, and where it stands in between.', open: true },
  '21': { text: 'What result holds.', open: true },
  '22': { text: 'Members of operator_responses.', open: true },
  '23': { text: 'Whether tasks of createTask can be followed too.', open: true },
})
