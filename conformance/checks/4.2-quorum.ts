import fc from 'fast-check'
import { operatorSubset } from '../arbitraries/operatorSubset.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import { decisionOf, responseOfResult } from '../crypto/attestation.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { edgeOf, reaches, stakesOf, withStopped } from '../kit/scenarios/operators.ts'
import { createTask, expectTask, taskParams } from '../kit/scenarios/requests.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 4.2: success exactly if the signed stake reaches the threshold. */
const needs = [...createTaskSubject.needs, 'operator-control', 'operators'] as const

const attempt = (t: CheckContext, threshold: number) =>
  createTask(t, taskParams(t, fixture.simple, { quorum_threshold_percentage: threshold }))

/** A failed task (section 4.2): no attestation, a reason, a time, and the operators' errors. */
async function expectQuorumFailure(t: CheckContext, threshold: number): Promise<JsonObject> {
  const result = expectResultObject(await attempt(t, threshold))
  expectShape(
    result,
    {
      status: shape.oneOf('failed'),
      aggregation_response: shape.isNull,
      error: shape.string,
      timestamp: shape.unixSeconds,
    },
    'result',
  )
  return result
}

const killed = (id: string, name: string, count: number): Check => ({
  id,
  title: `with ${name} stopped, the remaining share as threshold succeeds and one percent more fails`,
  clauses: ['4.2-13', '4.2-20', '2.5-03'],
  level: 'must',
  needs,
  twin: 'the same task at the threshold that the others reach',
  exclusive: true,
  run: async (t) => {
    const stakes = stakesOf(t)
    const stopped = stakes.map((_, i) => i).slice(0, count)
    const edge = edgeOf(stakes, stopped)
    await withStopped(t, stopped, async () => {
      await t.twin(async () => {
        const result = expectTask(await attempt(t, edge))
        expectEqual(decisionOf(responseOfResult(result).evaluationResult), true, 'the decision')
      })
      await expectQuorumFailure(t, edge + 1)
    })
  },
})

export const quorum: readonly Check[] = [
  // 4.2-13: The threshold decides: the task succeeds exactly when the signed stake reaches it.
  // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
  // 2.5-03: aggregation_response is an object or null.
  killed('rpc.quorum.killed.one-operator', 'one operator', 1),
  killed('rpc.quorum.killed.two-operators', 'two operators', 2),
  killed('rpc.quorum.killed.three-operators', 'three operators', 3),
  {
    // 4.2-13: The threshold decides: the task succeeds exactly when the signed stake reaches it.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    id: 'rpc.quorum.killed.all',
    title: 'with every operator stopped no task succeeds or hangs; afterwards tasks succeed',
    clauses: ['4.2-13', '4.2-20'],
    level: 'must',
    needs,
    twin: 'the same task while they run, before and after',
    exclusive: true,
    run: async (t) => {
      await t.twin(async () => expectTask(await attempt(t, 100)))
      const all = stakesOf(t).map((_, i) => i)
      await withStopped(t, all, async () => {
        await expectQuorumFailure(t, 100)
        await expectQuorumFailure(t, 1)
        await expectQuorumFailure(t, 0)
      })
      expectTask(await attempt(t, 100))
    },
  },
  {
    // 2.5-15: operator_errors is present on quorum failure.
    // 2.5-16: Each operator error says whether it is retryable.
    // 2.5-22: Members of an operator error beyond retryable.
    id: 'rpc.quorum.operator-errors',
    title: 'a quorum failure lists the errors of operators, each with a retryable',
    clauses: ['2.5-15', '2.5-16', '2.5-22'],
    level: 'must',
    needs,
    twin: 'the same task while they run',
    exclusive: true,
    run: async (t) => {
      await t.twin(async () => expectTask(await attempt(t, 100)))
      await withStopped(t, [0], async () => {
        const result = await expectQuorumFailure(t, 100)
        expectShape(result, { operator_errors: shape.array }, 'result')
        const errors = result.operator_errors as readonly JsonObject[]
        expectThat(errors.length > 0, 'operator_errors', 'at least one entry', errors)
        for (const error of errors)
          expectShape(error, { retryable: shape.boolean }, 'operator_errors[]')
        t.observe(`operator_errors have the members ${Object.keys(errors[0]!).join(', ')}`)
      })
    },
  },
  {
    // 4.2-13: The threshold decides: the task succeeds exactly when the signed stake reaches it.
    id: 'rpc.quorum.any-threshold',
    title:
      'any threshold and any set of stopped operators: success exactly if the stake reaches it',
    clauses: ['4.2-13'],
    level: 'must',
    needs,
    exclusive: true,
    run: async (t) => {
      const stakes = stakesOf(t)
      const edges = operatorSubset(stakes.length).chain((stopped) => {
        const edge = edgeOf(stakes, stopped)
        // Half of the thresholds near the edge, half anywhere.
        const near = fc.integer({ min: Math.max(0, edge - 1), max: Math.min(100, edge + 1) })
        const threshold = fc.oneof(near, fc.integer({ min: 0, max: 100 }))
        return fc.record({ stopped: fc.constant(stopped), threshold })
      })
      await checkProperty(t, 'thresholds', edges, { runs: 14 }, async ({ stopped, threshold }) => {
        const answer = await withStopped(t, stopped, () => attempt(t, threshold))
        const result = expectResultObject(answer)
        const expected = reaches(stakes, stopped, threshold) ? 'success' : 'failed'
        const what = `the status with ${JSON.stringify(stopped)} stopped at ${threshold} %`
        expectEqual(result.status, expected, what)
        const attested = isObject(result.aggregation_response)
        expectEqual(attested, expected === 'success', `an attestation with ${expected}`)
      })
    },
  },
]
