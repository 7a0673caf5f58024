import { anyIntent } from '../arbitraries/intent.ts'
import type { Check } from '../core/check.ts'
import { TooLate } from '../core/conformanceError.ts'
import { expectEqual, expectMatch, expectThat, isObject } from '../core/expect.ts'
import { hasTask, taskOfResult } from '../crypto/attestation.ts'
import { taskIdOf } from '../crypto/taskId.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { blockedTask, blockedTaskNeeds, slowTask } from '../kit/scenarios/blockedTask.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { followedNeeds } from '../kit/scenarios/followedTasks.ts'
import {
  chainIdOf,
  createTask,
  expectFailure,
  failureOf,
  newSender,
  resultOf,
  taskParams,
  transferIntent,
} from '../kit/scenarios/requests.ts'
import { sendTaskSubject } from '../kit/scenarios/subjects.ts'
import { dataOf, expectSent, followTask, sendTask } from '../kit/scenarios/updates.ts'

/** Sections 4.3 and 7.5: the id of a task, and repeated submissions of an intent. */
export const taskIds: readonly Check[] = [
  {
    // 4.3-17: How a task id is computed, and whether in the same way as for createTask.
    id: 'rpc.sendTask.task-id',
    title:
      'the task id is the hash of chain, client, intent, nonce and reference block, whichever method was used',
    clauses: ['4.3-17'],
    level: 'may',
    needs: followedNeeds,
    run: async (t) => {
      const params = taskParams(t, fixture.simple, {
        intent: transferIntent(t, { from: newSender(t) }),
      })
      const first = await followTask(t, params)
      const createdAgain = await createTask(t, params)
      // An intent of a finished task may be refused (clause 7.5-11): then there is nothing to compare.
      if (failureOf(createdAgain)?.includes('TaskAlreadyExists'))
        return void t.observe('the intent of a finished task cannot be submitted again')
      const created = expectResultObject(createdAgain)
      const again = await followTask(t, params)
      const results = [dataOf(first.end).result, created, dataOf(again.end).result]
      // The members of an update's result are open: without a task, nothing is required.
      const tasks = results.map((result) =>
        isObject(result) && hasTask(result) ? taskOfResult(result) : undefined,
      )
      const expected = tasks.map((task) => task && taskIdOf({ ...task, chainId: chainIdOf(t) }))
      const { nonce } = taskOfResult(created)
      observed(
        t,
        'nonces',
        'the nonces of one intent, sent, created and sent',
        tasks.map((task) => task?.nonce),
        { inTurn: [nonce - 1, nonce, nonce + 1] },
      )
      observed(
        t,
        'ids',
        'the ids of one intent, sent, created and sent',
        [first.taskId, created.task_id, again.taskId],
        { computed: expected },
      )
    },
  },
  {
    // 7.5-01: Submitting an intent again while its task is in progress yields TaskAlreadyExists.
    id: 'rpc.sendTask.duplicate',
    title: 'while a task is in progress, the same intent is refused as TaskAlreadyExists',
    clauses: ['7.5-01'],
    level: 'must',
    needs: blockedTaskNeeds,
    twin: 'the first submission, which is accepted',
    run: async (t) => {
      const held = await slowTask(t)
      if (!held.sentUnderWay) throw new TooLate('the task ended before it was sent again')
      await t.twin(async () => expectSent(held.sent))
      expectFailure(held.sentAgain, /TaskAlreadyExists/)
      // An accepted second task is awaited: only a refusal can come while the first is in progress.
      if (!held.underWay) throw new TooLate('the task ended before the second was created')
      expectFailure(held.createdAgain, /TaskAlreadyExists/)
    },
  },
  {
    // 4.3-16: The form of TaskAlreadyExists, for which the result has no member.
    id: 'rpc.sendTask.observed.duplicate',
    title: 'observed: the formats of TaskAlreadyExists',
    clauses: ['4.3-16'],
    level: 'may',
    needs: blockedTaskNeeds,
    run: async (t) => {
      const { sentAgain, createdAgain } = await blockedTask(t)
      const error = isObject(sentAgain.json) ? sentAgain.json.error : undefined
      observed(t, 'sent-again', 'the code of sendTask', isObject(error) ? error.code : undefined)
      const result = resultOf(createdAgain)
      const view = isObject(result) ? result : {}
      const starts = String(view.error).startsWith('TaskAlreadyExists')
      observed(t, 'created-again', 'the result of createTask', [view.status, starts])
    },
  },
  {
    // 4.3-19: No two submissions get the same task id.
    // 7.5-11: When an intent whose task has ended may be submitted again.
    id: 'rpc.sendTask.again',
    title: 'after the first has ended, the same intent creates a new task',
    clauses: ['4.3-19', '7.5-11'],
    level: 'must',
    needs: followedNeeds,
    run: async (t) => {
      const params = taskParams(t)
      const { taskId } = await followTask(t, params)
      const answer = await sendTask(t, params)
      const failure = failureOf(answer)
      if (failure === undefined)
        expectThat(expectSent(answer) !== taskId, 'the task id', 'a new one', taskId)
      else expectMatch(failure, /TaskAlreadyExists/, 'the error')
      t.observe(`an intent of a finished task, sent again: ${failure ?? 'accepted'}`)
    },
  },
  {
    // 4.3-19: No two submissions get the same task id.
    // 4.3-04: intent is required and a TaskIntent.
    // 4.3-10: task_id is Data, 32 bytes.
    id: 'rpc.sendTask.any-intent',
    title: 'any intent is accepted, and no two submissions get the same id',
    clauses: ['4.3-19', '4.3-04', '4.3-10'],
    level: 'must',
    needs: sendTaskSubject.needs,
    run: async (t) => {
      const ids = new Set<string>()
      let sent = 0
      await checkProperty(t, 'intents', anyIntent(chainIdOf(t)), { runs: 12 }, async (intent) => {
        const answer = await sendTask(t, taskParams(t, fixture.simple, { intent }))
        // The same small intent may be generated twice.
        if (failureOf(answer)?.includes('TaskAlreadyExists')) return
        ids.add(expectSent(answer))
        sent++
        expectEqual(ids.size, sent, 'the number of different ids')
      })
    },
  },
]
