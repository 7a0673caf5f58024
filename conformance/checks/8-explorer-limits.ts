import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { isObject, show } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { ask, explorerNeeds } from '../kit/scenarios/explorer.ts'
import { acceptedList } from '../kit/scenarios/explorerLists.ts'
import { expectKnownKey } from '../kit/scenarios/explorerShown.ts'
import { underLimits } from '../kit/scenarios/limits.ts'
import { withOwnKey } from '../kit/scenarios/ownKey.ts'

/** Section 8: rate limits of the explorer. */
const burst = 5

export const explorerLimits: readonly Check[] = [
  {
    // 8-17: The rate limits of the explorer.
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
      await withOwnKey(t, async (key) => {
        await expectKnownKey(t, key)
        await underLimits(t, limit, () => observeLimit(t, () => many(key)))
      })
      const after = await ask(t, '/task', { patient: false })
      observed(t, 'other-key', 'another key after it', after.status)
    },
  },
]

async function observeLimit(
  t: CheckContext,
  many: () => Promise<readonly Awaited<ReturnType<typeof ask>>[]>,
): Promise<void> {
  const answers = await many()
  const limited = answers.filter(({ status }) => status === 429)
  const rest = answers.length - limited.length
  const [first] = limited
  observed(t, 'served', `served of ${answers.length}`, rest, { burst })
  if (first === undefined) return
  const seconds = Number(first.exchange.headers['retry-after'])
  observed(t, 'retry-after', 'Retry-After', seconds)
  const told = isObject(first.json) && typeof first.json.detail === 'string'
  observed(t, 'body', 'the body', show(first.json), { detail: told })
}
