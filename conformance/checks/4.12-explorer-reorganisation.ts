import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import { expectEqual } from '../core/expect.ts'
import { decidedEqual } from '../kit/assertions/decided.ts'
import {
  ask,
  askPage,
  expectFound,
  explorerTaskNeeds,
  policyPath,
  shownPolicy,
  until,
} from '../kit/scenarios/explorer.ts'
import { ownPolicy } from '../kit/scenarios/explorerSubjects.ts'
import { freshClientNeeds } from '../kit/scenarios/freshClient.ts'
import { dropped } from '../kit/scenarios/reorganisation.ts'
import { countsOf, everything } from './4.12-explorer-stats.ts'

/** Section 4.12, decision X5: what becomes of rows whose blocks are dropped. */
export const explorerReorganisation: readonly Check[] = [
  {
    id: 'explorer.observed.reorganisation',
    title: 'observed: whether a policy whose block is dropped from the chain is taken back',
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
        throw new Untestable('others sent transactions meanwhile: their blocks are not dropped')
      const gone = await until(
        t,
        'the end of the dropped policy',
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
