import fc from 'fast-check'
import { limitValue } from '../arbitraries/limitValue.ts'
import type { Check } from '../core/check.ts'
import { TooLate } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, expectThat, type JsonObject } from '../core/expect.ts'
import { decisionOf, responseOfResult } from '../crypto/attestation.ts'
import { expectDecided } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { fixture, policyOfClient } from '../kit/scenarios/fixtures.ts'
import {
  createTask,
  expectFailure,
  expectTask,
  failureOf,
  newSender,
  taskParams,
  transferIntent,
  unlistedRecipient,
} from '../kit/scenarios/requests.ts'
import { evaluate } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  expectTaskSimulation,
  simulatedDecision,
  simulateTask,
  taskSimulationParams,
} from '../kit/scenarios/taskSimulation.ts'

/** Section 7.5: duplicates, non-compliance, CAP; and agreement of all three methods. */
const { needs } = createTaskSubject
const capNeeds = [...needs, `client:${fixture.cap}`] as const

const transferOf = (t: CheckContext, value: bigint) =>
  transferIntent(t, { from: newSender(t), value: `0x${value.toString(16)}` })

async function decide(t: CheckContext, name: string, intent: unknown): Promise<unknown> {
  const result = expectTask(await createTask(t, taskParams(t, name, { intent })))
  return decisionOf(responseOfResult(result).evaluationResult)
}

async function simulate(t: CheckContext, name: string, intent: unknown): Promise<JsonObject> {
  const params = { ...taskSimulationParams(t, name), intent }
  return expectTaskSimulation(await simulateTask(t, params))
}

const agreement = (id: string, name: string): Check => ({
  id,
  title: `simulateTask, simulatePolicy and createTask decide the same on ${name}`,
  clauses: ['1-01', '4.4-08', '4.8-11', '2.5-09'],
  level: 'must',
  profiles: ['tasks', 'simulation'],
  needs: [...needs, `client:${name}`],
  run: async (t) => {
    const policy = policyOfClient(t, name)
    const recipients = fc.boolean()
    const cases = fc.record({ value: limitValue(), listed: recipients })
    await checkProperty(t, 'cases', cases, { runs: 8 }, async ({ value, listed }) => {
      const intent = listed
        ? transferOf(t, value)
        : { ...transferOf(t, value), to: unlistedRecipient }
      const [task, simulated, evaluated] = await Promise.all([
        decide(t, name, intent),
        simulate(t, name, intent),
        evaluate(t, policy.source, {
          policy_client: t.client(name).policyClient,
          intent,
          entrypoint: policy.entrypoint,
          policy_params: policy.params,
        }),
      ])
      expectEqual(evaluated, task, 'simulatePolicy compared with createTask')
      const told = await simulatedDecision(t, simulated)
      if (typeof task === 'boolean')
        expectEqual(told, task, 'simulateTask compared with createTask')
      else {
        // How a decision other than true and false is reported is open (clause 4.4-13).
        expectThat(told !== true, 'simulateTask compared with createTask', 'not true', told)
        expectDecided(t, 'other-decision', 'simulateTask', told, { task })
      }
    })
  },
})

export const conditions: readonly Check[] = [
  {
    // 7.5-01: Submitting an intent again while its task is in progress yields TaskAlreadyExists.
    // 2.5-25: No two tasks have the same id.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    id: 'rpc.createTask.duplicate',
    title: 'of two concurrent submissions of an intent, the second is TaskAlreadyExists',
    clauses: ['7.5-01', '2.5-25', '4.2-20'],
    level: 'must',
    needs,
    twin: 'one of them, which is accepted',
    run: async (t) => {
      const params = taskParams(t)
      const answers = await Promise.all(Array.from({ length: 6 }, () => createTask(t, params)))
      const accepted = answers.filter((answer) => failureOf(answer) === undefined)
      await t.twin(async () => {
        expectThat(accepted.length > 0, 'the accepted tasks', 'at least one', accepted.length)
        const ids = accepted.map((answer) => expectTask(answer).task_id)
        expectEqual(new Set(ids).size, ids.length, 'the number of different task ids')
      })
      const refused = answers.filter((answer) => failureOf(answer) !== undefined)
      if (refused.length === 0) throw new TooLate('the tasks ended before they could overlap')
      for (const answer of refused) expectFailure(answer, /TaskAlreadyExists/)
    },
  },
  {
    // 7.5-02: A different intent, or the same intent after its task has ended, makes a new task.
    // 7.5-11: When an intent whose task has ended may be submitted again.
    // 2.5-25: No two tasks have the same id.
    id: 'rpc.createTask.again',
    title: 'after the first has ended, another intent and the same intent create new tasks',
    clauses: ['7.5-02', '7.5-11', '2.5-25'],
    level: 'must',
    needs,
    run: async (t) => {
      const params = taskParams(t)
      const first = expectTask(await createTask(t, params))
      const other = expectTask(await createTask(t, taskParams(t)))
      expectThat(
        other.task_id !== first.task_id,
        'the task id of another intent',
        'a new one',
        other.task_id,
      )
      const again = await createTask(t, params)
      if (failureOf(again) === undefined) {
        const { task_id } = expectTask(again)
        expectThat(
          task_id !== first.task_id,
          'the task id of the same intent',
          'a new one',
          task_id,
        )
        t.observe('the intent of a finished task can be submitted again')
      } else {
        expectFailure(again, /TaskAlreadyExists/)
        t.observe('the intent of a finished task cannot be submitted again')
      }
    },
  },
  {
    // 7.5-03: A simulated task that is non-compliant reports that the policy rejects the intent.
    // 4.4-08: A success has a result object, for example with allow and reason.
    id: 'rpc.simulateTask.non-compliant',
    title: 'a simulated task that the policy rejects is reported as rejected, with the reasons',
    clauses: ['7.5-03', '4.4-08'],
    level: 'must',
    needs,
    twin: 'the same intent to a recipient on the list',
    run: async (t) => {
      await t.twin(async () =>
        expectEqual(
          await simulatedDecision(t, await simulate(t, fixture.simple, transferIntent(t))),
          true,
          'allow',
        ),
      )
      const intent = transferIntent(t, { to: unlistedRecipient })
      const simulation = await simulate(t, fixture.simple, intent)
      expectEqual(await simulatedDecision(t, simulation), false, 'allow')
      const { result } = simulation
      t.observe(`a rejected intent gives ${JSON.stringify(result)}`)
      expectMatch(
        JSON.stringify(result),
        /recipient is not on the list|non-compliant/,
        'the result',
      )
    },
  },
  {
    // 7.5-04: A policy result CAP (in place of ALLOW: the value exceeds a threshold) is passed
    //   through.
    // 2.5-09: task_response.evaluation_result is an array of numbers.
    id: 'rpc.createTask.cap',
    title: 'the decision CAP is returned, and is not ALLOW',
    clauses: ['7.5-04', '2.5-09'],
    level: 'must',
    needs: capNeeds,
    twin: 'a value at the threshold, which is allowed',
    run: async (t) => {
      const threshold = 10n ** 18n
      await t.twin(async () =>
        expectEqual(
          await decide(t, fixture.cap, transferOf(t, threshold)),
          true,
          'at the threshold',
        ),
      )
      expectEqual(await decide(t, fixture.cap, transferOf(t, threshold + 7n)), 'CAP', 'above it')
      expectEqual(
        await decide(t, fixture.cap, transferOf(t, 10n ** 19n + 9n)),
        false,
        'above the maximum',
      )
    },
  },
  // 1-01: An intent submitted for a policy client is evaluated against that client’s policy.
  // 4.4-08: A success has a result object, for example with allow and reason.
  // 4.8-11: The answer has success, and evaluation_result on success.
  // 2.5-09: task_response.evaluation_result is an array of numbers.
  agreement('rpc.agreement.allow-list', fixture.simple),
  agreement('rpc.agreement.cap', fixture.cap),
]
