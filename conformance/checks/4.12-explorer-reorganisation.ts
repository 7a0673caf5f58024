import type { Check } from '../core/check.ts'
import { TooLate } from '../core/conformanceError.ts'
import { expectEqual } from '../core/expect.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { askPolicy, expectFound, explorerTaskNeeds } from '../kit/scenarios/explorer.ts'
import { countsOf, everything } from '../kit/scenarios/explorerCounts.ts'
import { fetchPage } from '../kit/scenarios/explorerLists.ts'
import { shownPolicy, until } from '../kit/scenarios/explorerShown.ts'
import { ownPolicy } from '../kit/scenarios/explorerSubjects.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'
import { dropped } from '../kit/scenarios/reorganisation.ts'

/** Section 4.12, decision X5: rows whose blocks are removed by a reorganisation. */
export const explorerReorganisation: readonly Check[] = [
  {
    // 4.12-31: What happens to rows of blocks that a reorganization dropped.
    id: 'explorer.observed.reorganisation',
    title: 'observed: whether a policy disappears when its block is removed from the chain',
    clauses: ['4.12-31'],
    level: 'may',
    needs: [...explorerTaskNeeds, ...newClientNeeds, 'chain:dev'],
    exclusive: true,
    run: async (t) => {
      const own = await ownPolicy(t)
      const before = (await fetchPage(t, '/policy', 1, 1)).total
      const { policy, drop } = await dropped(t, own.policy)
      expectEqual((await shownPolicy(t, policy)).policy_deployed_at === null, false, 'its time')
      expectEqual((await fetchPage(t, '/policy', 1, 1)).total, before + 1, 'the total with it')
      if (!(await drop()))
        throw new TooLate('there were other transactions meanwhile: their blocks cannot be removed')
      const gone = await until(
        t,
        'removal of the dropped policy',
        () => askPolicy(t, policy),
        ({ status }) => status === 404 || !isRequired(t, 'dropped-policy'),
      )
      observed(t, 'dropped-policy', 'the policy of a dropped block', gone.status)
      const { total } = await fetchPage(t, '/policy', 1, 1)
      observed(t, 'total', 'the total after it', total, { before })
      const { total_policies } = await countsOf(t, everything)
      observed(t, 'count', 'the count after it', total_policies, { before })
      expectFound(await askPolicy(t, own.policy))
    },
  },
]
