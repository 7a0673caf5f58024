import type { Expectation, ExpectationOf } from '../core/expectation.ts'
import { oracles } from './1-oracles.ts'
import { tasks } from './2-tasks.ts'
import { explorer } from './4.12-explorer.ts'
import { methods } from './4-methods.ts'
import { keys } from './5-keys.ts'
import { updates } from './6-updates.ts'
import { errors } from './7-errors.ts'
import { limits } from './8-limits.ts'
import { type Expectations, equals, equalsFact, fact, required } from './expectation.ts'

const everyCheck: Expectations = {
  '*': {
    'digest-of-owner': required,
    'usual-contracts': required,
    'plain-http-webhook': required,
    'failed-task-shown': required,
    'task-owner': equalsFact('who'),
    'every-reader': required,
    'webhook-after-rotation': required,
    'second-registration': required,
    'several-subscriptions': required,
    'answers-under-way': required,
    'answered-requests': equals([], 'none'),
    'connection-alive': fact('alive', 'answered'),
    'created-block': equalsFact('taskCreatedBlock'),
    'unknown-reference': equals(true, 'refused'),
    'deleted-key-status': equals(401),
    'deleted-key-websocket': equals('refused'),
    'final-updates': equals(1),
    'deliveries-of-one-notification': equals(1),
    'notification-id': equalsFact('notification'),
  },
}

/** What the reference implementation is held to where the specification is silent. */
export const expectations: Expectations = {
  ...oracles,
  ...tasks,
  ...methods,
  ...explorer,
  ...keys,
  ...updates,
  ...errors,
  ...limits,
  ...everyCheck,
}

/** Patterns of ids, the longest first. */
const patterns = Object.entries(expectations)
  .filter(([key]) => key.includes('*'))
  .sort(([a], [b]) => b.length - a.length)
  .map(([key, points]) => ({
    ids: new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
    points,
  }))

const find = (checkId: string, point: string): Expectation | undefined =>
  expectations[checkId]?.[point] ??
  patterns.find(({ ids, points }) => ids.test(checkId) && point in points)?.points[point]

/** @throws Error for a point without an entry: every observed point of a check has one. */
export const expectationOf: ExpectationOf = (checkId, point) => {
  const expectation = find(checkId, point)
  if (expectation === undefined)
    throw new Error(`conformance/reference has no entry for the point '${point}' of ${checkId}`)
  return expectation
}
