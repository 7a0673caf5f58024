import { decidedEqual } from '../lab/decided.ts'
import {
  ask,
  askPage,
  expectFound,
  explorerTaskNeeds,
  policyPath,
  shownPolicy,
  until,
} from '../lab/explorer.ts'
import { ownPolicy } from '../lab/explorerSubjects.ts'
import { freshClientNeeds } from '../lab/freshClient.ts'
import { dropped } from '../lab/reorganisation.ts'
import type { Check } from '../runner/check.ts'
import { Untestable } from '../runner/conformanceError.ts'
import { expectEqual } from '../runner/expect.ts'
import { countsOf, everything } from './4.12-explorer-stats.ts'

/** Section 4.12, decision X5: rows whose blocks are removed by a reorganisation. */
export const explorerReorganisation: readonly Check[] = [
  {
    id: 'explorer.observed.reorganisation',
    title: 'observed: whether a policy disappears when its block is removed from the chain',
    clauses: ['4.12-31'],
    level: 'may',
    needs: [...explorerTaskNeeds, ...freshClientNeeds, 'chain:dev'],
    exclusive: true,
    run: async (t) => {
      const own = await ownPolicy(t)
      const before = (await askPage(t, '/policy', 1, 1)).total
      const { policy, drop } = await dropped(t, own.policy)
      expectEqual((await shownPolicy(t, policy)).policy_deployed_at === null, false, 'its time')
      expectEqual((await askPage(t, '/policy', 1, 1)).total, before + 1, 'the total with it')
      if (!(await drop()))
        throw new Untestable(
          'there were other transactions meanwhile: their blocks cannot be removed',
        )
      const gone = await until(
        t,
        'removal of the dropped policy',
        () => ask(t, policyPath(policy)),
        ({ status }) => status === 404 || !t.target.reference,
      )
      decidedEqual(t, gone.status, 404, 'the policy of a dropped block')
      const { total } = await askPage(t, '/policy', 1, 1)
      decidedEqual(t, total, before, 'the total after it')
      const { total_policies } = await countsOf(t, everything)
      decidedEqual(t, total_policies, before, 'the count after it')
      expectFound(await ask(t, policyPath(own.policy)))
    },
  },
]
