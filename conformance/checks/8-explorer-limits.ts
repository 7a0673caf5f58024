import { decided } from '../lab/decided.ts'
import { acceptedList, ask, explorerNeeds } from '../lab/explorer.ts'
import { underLimits } from '../lab/limits.ts'
import { withOwnKey } from '../lab/ownKey.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { isObject, show } from '../runner/expect.ts'

/** Section 8: rate limits of the explorer. */
const burst = 5

export const explorerLimits: readonly Check[] = [
  {
    id: 'explorer.rate-limit.observed',
    title: 'observed: whether a key with too many requests is limited, and others are not',
    clauses: ['8-17'],
    level: 'may',
    needs: [...explorerNeeds, 'limit-control', 'key-control'],
    exclusive: true,
    run: async (t) => {
      await acceptedList(t)
      const many = (key: Parameters<Parameters<typeof withOwnKey>[1]>[0]) =>
        Promise.all(
          Array.from({ length: 4 * burst }, () =>
            ask(t, '/stats', { key, patient: false, query: 'task_window_start=2020-01-01' }),
          ),
        )
      const limit = { explorer: { perSecond: 1, burst } }
      await withOwnKey(t, (key) => underLimits(t, limit, () => observeLimit(t, () => many(key))))
      const after = await ask(t, '/task', { patient: false })
      decided(t, after.status === 200, 'another key after it', 200, after.status)
    },
  },
]

const observeLimit = async (
  t: CheckContext,
  many: () => Promise<readonly Awaited<ReturnType<typeof ask>>[]>,
): Promise<void> => {
  const answers = await many()
  const limited = answers.filter(({ status }) => status === 429)
  const rest = answers.length - limited.length
  const [first] = limited
  decided(t, rest >= burst && rest <= burst + 3, `served of ${answers.length}`, burst, rest)
  if (first === undefined) return
  const seconds = Number(first.exchange.headers['retry-after'])
  decided(t, Number.isInteger(seconds) && seconds >= 1, 'Retry-After', 'seconds', seconds)
  const told = isObject(first.json) && typeof first.json.detail === 'string'
  decided(t, told, 'the body', '{detail}', show(first.json))
}
