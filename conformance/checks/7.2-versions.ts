import { fixture } from '../lab/fixtures.ts'
import { wasmArgs } from '../lab/oracles.ts'
import { acceptedTask, createTask, expectTask, failureOf, taskParams } from '../lab/requests.ts'
import { createTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import { expectMatch } from '../runner/expect.ts'

/** Section 7.2: contracts of a version that the service does not speak. */
const { needs } = createTaskSubject

export const versions: readonly Check[] = [
  {
    id: 'rpc.createTask.policy-version',
    title: 'a policy of another major version is refused as incompatible',
    clauses: ['7.2-04', '9-05'],
    level: 'must',
    needs: [...needs, `client:${fixture.otherPolicyVersion}`],
    twin: 'the same task with the same policy in a version that fits',
    run: async (t) => {
      await t.twin(() => acceptedTask(t))
      const answer = await createTask(t, taskParams(t, fixture.otherPolicyVersion))
      expectMatch(
        failureOf(answer),
        /-32618|incompatible.*policy.*version|policy.*version/i,
        'the failure',
      )
      t.observe(`another policy version: ${failureOf(answer)}`)
    },
  },
  {
    id: 'rpc.createTask.policy-data-version',
    title: 'policy data of another major version is refused as incompatible',
    clauses: ['7.2-05', '9-05'],
    level: 'must',
    needs: [...needs, 'fixture-host', `client:${fixture.otherDataVersion}`],
    twin: 'the same task with policy data in a version that fits',
    run: async (t) => {
      const args = { wasm_args: wasmArgs(t, fixture.priced) }
      await t.twin(async () => expectTask(await createTask(t, taskParams(t, fixture.priced, args))))
      const answer = await createTask(t, taskParams(t, fixture.otherDataVersion, args))
      expectMatch(
        failureOf(answer),
        /-32619|incompatible.*data.*version|data.*version/i,
        'the failure',
      )
      t.observe(`another policy data version: ${failureOf(answer)}`)
    },
  },
]
