import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { isObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import {
  createTask,
  failureOf,
  resultOf,
  taskParams,
  transferIntent,
} from '../kit/scenarios/requests.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/**
 * Section 4.2, decision T17: warnings about a signed result that the contract would reject.
 * Warnings are an extension: those of another gateway are only recorded.
 */
async function codesOf(t: CheckContext, change: Record<string, unknown>): Promise<unknown> {
  const asked = { include_validate_calldata: true, ...change }
  const answer = await createTask(t, taskParams(t, fixture.simple, asked))
  const result = resultOf(answer)
  if (!isObject(result) || result.status !== 'success') return `no success: ${failureOf(answer)}`
  const { warnings } = result
  if (!Array.isArray(warnings)) return warnings ?? 'none'
  return warnings.map((warning) =>
    isObject(warning) && typeof warning.message === 'string' ? warning.code : warning,
  )
}

export const spendWarnings: readonly Check[] = [
  {
    // 4.2-34: Whether a result warns that the chain would refuse its calldata.
    id: 'rpc.createTask.observed.spend-warnings',
    title: 'observed: warnings of a signed result that cannot be spent',
    clauses: ['4.2-34'],
    level: 'may',
    needs: createTaskSubject.needs,
    run: async (t) => {
      await createTaskSubject.accepted(t)
      const elsewhere = () => transferIntent(t, { chain_id: '0x1' })
      const warnings = async (point: string, what: string, change: Record<string, unknown>) =>
        observed(t, point, `the warnings of ${what}`, await codesOf(t, change))
      const lowThreshold = { quorum_threshold_percentage: 1 }
      await warnings('spendable', 'a result that can be spent', {})
      await warnings('low-threshold', 'a threshold below the minimum of the client', lowThreshold)
      await warnings('other-chain', 'an intent for another chain', { intent: elsewhere() })
      await warnings('no-calldata', 'both, without calldata', {
        ...lowThreshold,
        intent: elsewhere(),
        include_validate_calldata: false,
      })
    },
  },
]
