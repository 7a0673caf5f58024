import { decidedEqual } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import { createTask, resultOf, taskParams, transferIntent } from '../lab/requests.ts'
import { createTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { isObject } from '../runner/expect.ts'

/**
 * Section 4.2, decision T17: warnings about a signed result that the contract would reject.
 * Warnings are an extension: those of another gateway are only recorded.
 */
const codesOf = async (t: CheckContext, change: Record<string, unknown>): Promise<unknown> => {
  const asked = { include_validate_calldata: true, ...change }
  const result = resultOf(await createTask(t, taskParams(t, fixture.simple, asked)))
  if (!isObject(result) || result.status !== 'success') return 'no success'
  const { warnings } = result
  if (!Array.isArray(warnings)) return warnings ?? 'none'
  return warnings.map((warning) =>
    isObject(warning) && typeof warning.message === 'string' ? warning.code : warning,
  )
}

export const spendWarnings: readonly Check[] = [
  {
    id: 'rpc.createTask.observed.spend-warnings',
    title: 'observed: warnings of a signed result that cannot be spent',
    clauses: ['4.2-34'],
    level: 'may',
    needs: createTaskSubject.needs,
    run: async (t) => {
      const elsewhere = () => transferIntent(t, { chain_id: '0x1' })
      const cases = [
        ['a result that can be spent', {}, 'none'],
        [
          'a threshold below the minimum of the client',
          { quorum_threshold_percentage: 1 },
          ['threshold_below_minimum'],
        ],
        ['an intent for another chain', { intent: elsewhere() }, ['other_chain']],
        [
          'both, without calldata',
          {
            ...{ intent: elsewhere(), quorum_threshold_percentage: 1 },
            include_validate_calldata: false,
          },
          'none',
        ],
      ] as const
      for (const [what, change, expected] of cases)
        decidedEqual(t, await codesOf(t, change), expected, `the warnings of ${what}`)
    },
  },
]
