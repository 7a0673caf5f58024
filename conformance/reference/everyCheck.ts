import { type Expectations, equals, equalsFact, fact, required } from './expectation.ts'

export const everyCheck: Expectations = {
  '*': {
    'open-point': required,
    'usual-contracts': required,
    'plain-http-webhook': required,
    'failed-task-shown': required,
    'task-owner': equalsFact('who'),
    'every-reader': required,
    'webhook-after-rotation': required,
    'answered-requests': equals([], 'none'),
    'connection-alive': fact('alive', 'answered'),
    'created-block': equalsFact('taskCreatedBlock'),
    'deleted-key-status': equals(401),
    'deleted-key-websocket': equals('refused'),
    'final-updates': equals(1),
    'deliveries-of-one-notification': equals(1),
    'notification-id': equalsFact('notification'),
  },
}
