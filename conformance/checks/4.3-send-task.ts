import type { Check } from '../core/check.ts'
import { NotInTime, TooLate, Untestable } from '../core/conformanceError.ts'
import { expectEqual } from '../core/expect.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import { observed } from '../kit/assertions/observed.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { blockedTaskNeeds, slowTask } from '../kit/scenarios/blockedTask.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { failingNeeds, followedNeeds } from '../kit/scenarios/followedTasks.ts'
import { taskParams } from '../kit/scenarios/requests.ts'
import { sendTaskSubject } from '../kit/scenarios/subjects.ts'
import { dataOf, followTask, sendTask, topicOf } from '../kit/scenarios/updates.ts'

/** Section 4.3: submitting a task asynchronously. */
const { needs } = sendTaskSubject

/** A response of createTask that comes sooner did not wait for the oracle. */
const heldAtLeastMs = 1_000

export const sendTaskChecks: readonly Check[] = [
  {
    // 4.3-10: task_id is Data, 32 bytes.
    // 4.3-11: subscription_topic is a string: the topic of section 6.1 for this task.
    // 4.3-12: message is a string.
    // 4.3-13: timestamp is a number.
    // 4.3-01: A key with RpcRead may send tasks.
    id: 'rpc.sendTask.result',
    title: 'sendTask answers with task_id, subscription_topic, message and timestamp',
    clauses: ['4.3-10', '4.3-11', '4.3-12', '4.3-13', '4.3-01'],
    level: 'must',
    needs,
    run: async (t) => {
      const result = expectResultObject(await sendTask(t, taskParams(t)))
      const number: shape.Rule = (v) => (typeof v === 'number' ? undefined : 'a number')
      expectShape(
        result,
        {
          task_id: shape.bytes32,
          subscription_topic: shape.string,
          message: shape.string,
          timestamp: number,
        },
        'result',
      )
      const { subscription_topic, task_id } = result
      expectHex(subscription_topic, topicOf(t, String(task_id)), 'subscription_topic')
    },
  },
  {
    // 4.3-15: The unit of timestamp.
    id: 'rpc.sendTask.observed.timestamp',
    title: 'observed: the unit of timestamp',
    clauses: ['4.3-15'],
    level: 'may',
    needs,
    run: async (t) => {
      const { task_id, timestamp } = expectResultObject(await sendTask(t, taskParams(t)))
      expectShape({ task_id }, { task_id: shape.bytes32 }, 'result')
      const now = Date.now() / 1000
      const near = Number.isInteger(timestamp) && Math.abs(Number(timestamp) - now) < 300
      observed(t, 'timestamp', 'timestamp', timestamp, { near })
    },
  },
  {
    // 4.3-02: Submission is asynchronous: the response is sent before the task has ended.
    id: 'rpc.sendTask.at-once',
    title: 'the response comes while the task is in progress, long before its end',
    clauses: ['4.3-02'],
    level: 'must',
    needs: blockedTaskNeeds,
    run: async (t) => {
      const { answeredMs, answerLateMs, endedMs, created } = await slowTask(t)
      // A slow gateway may also report the end late: createTask shows how long a task takes.
      if (created.answeredMs < heldAtLeastMs)
        throw new Untestable('a task of createTask with the same oracle did not wait for it')
      const taskMs = Math.min(endedMs, created.answeredMs)
      // It may have come before the suite noticed it.
      if (answeredMs >= taskMs / 2 && answeredMs - answerLateMs < taskMs / 2)
        throw new TooLate(
          `the suite itself noticed the response up to ${Math.round(answerLateMs)} ms late`,
        )
      if (answeredMs >= taskMs / 2)
        throw new NotInTime('the time of the response is wrong', {
          expected: `much less than the ${Math.round(taskMs)} ms of such a task`,
          observed: `${Math.round(answeredMs)} ms`,
        })
    },
  },
  {
    // 4.3-10: task_id is Data, 32 bytes.
    // 4.3-14: Updates of the task arrive over the WebSocket; the last one has the attested result.
    id: 'rpc.sendTask.own-task',
    title: 'of two submissions each gets the id of its own task: one fails, the next succeeds',
    clauses: ['4.3-10', '4.3-14'],
    level: 'must',
    needs: failingNeeds,
    run: async (t) => {
      const failed = await followTask(t, taskParams(t, fixture.trapping))
      expectEqual(dataOf(failed.end).status, 'failed', 'the status of the task that fails')
      const succeeded = await followTask(t, taskParams(t))
      expectEqual(dataOf(succeeded.end).status, 'success', 'the status of the task after it')
    },
  },
  {
    // 4.3-14: Updates of the task arrive over the WebSocket; the last one has the attested result.
    // 4.11-01: Updates for sendTask are delivered on a WebSocket.
    // 3-03: success: the task completed.
    id: 'rpc.sendTask.updates',
    title: 'a sent task is followed on the WebSocket to its success',
    clauses: ['4.3-14', '4.11-01', '3-03'],
    level: 'must',
    needs: followedNeeds,
    run: async (t) => {
      const { end } = await followTask(t, taskParams(t))
      expectEqual(dataOf(end).status, 'success', 'the status at the end')
    },
  },
]
