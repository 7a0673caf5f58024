import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { policyDataWithComponent } from '../kit/scenarios/newClient.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'
import type { Subject } from '../kit/scenarios/refusedMember.ts'
import { expectFailure } from '../kit/scenarios/requests.ts'
import {
  ownSecrets,
  policyDataParams,
  pricedOracle,
  sealedFor,
  secretsNeeds,
  simulatePolicyData,
  simulateWithClient,
  storeSecrets,
} from '../kit/scenarios/secrets.ts'
import {
  simulatePolicyDataSubject,
  simulateWithClientSubject,
  storeSecretsSubject,
} from '../kit/scenarios/secretsSubjects.ts'

/**
 * Section 7.2: the codes of the service, as an error object or as a failed result with that error.
 */
const otherVersion = /-32619|incompatible.*data.*version|data.*version/i

const { otherDataVersion } = fixture

/** A method with a PolicyData of a major version that no service supports. */
const ofAnotherVersion = (
  id: string,
  subject: Subject,
  call: (t: CheckContext) => Promise<Answer>,
): Check => ({
  id,
  title: `${subject.method} on policy data of another major version is refused as incompatible`,
  clauses: ['7.2-05', '9-05'],
  level: 'must',
  needs: [...new Set([...subject.needs, ...secretsNeeds, `client:${otherDataVersion}` as const])],
  twin: 'the same call on policy data of a compatible version',
  run: async (t) => {
    await t.twin(() => subject.accepted(t))
    t.observe(`${subject.method}, another version: ${expectFailure(await call(t), otherVersion)}`)
  },
})

const dataOf = (t: CheckContext) => t.client(otherDataVersion).policyData[0]!.address

/** A valid content id of unavailable bytes: raw, sha2-256 of all ones. */
const nowhere = 'bafkreih777777777777777777777777777777777777777777777777774'

export const serviceCodes: readonly Check[] = [
  ofAnotherVersion(
    // 7.2-05: An incompatible policy data version is -32619 (IncompatiblePolicyDataVersion), or a
    //   failed result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    'rpc.simulatePolicyData.policy-data-version',
    simulatePolicyDataSubject,
    async (t) =>
      simulatePolicyData(
        t,
        policyDataParams(t, { policy_data_address: dataOf(t), secrets: await ownSecrets(t) }),
      ),
  ),
  ofAnotherVersion(
    // 7.2-05: An incompatible policy data version is -32619 (IncompatiblePolicyDataVersion), or a
    //   failed result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    'rpc.simulatePolicyDataWithClient.policy-data-version',
    simulateWithClientSubject,
    (t) =>
      simulateWithClient(t, {
        policy_client: t.client(otherDataVersion).policyClient,
        policy_data_address: dataOf(t),
        wasm_args: wasmArgs(t, fixture.priced),
      }),
  ),
  ofAnotherVersion(
    // 7.2-05: An incompatible policy data version is -32619 (IncompatiblePolicyDataVersion), or a
    //   failed result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    'rpc.storeEncryptedSecrets.policy-data-version',
    storeSecretsSubject,
    async (t) => {
      const { policyClient } = t.client(otherDataVersion)
      return storeSecrets(t, {
        policy_client: policyClient,
        policy_data_address: dataOf(t),
        envelope: JSON.stringify(await sealedFor(t, policyClient, pricedOracle(t).secrets)),
      })
    },
  ),
  {
    // 7.2-06: Policy data that cannot be fetched is -32620 (DataProviderError), or a failed result
    //   with its message.
    // 4.6-07: A failure has an error string.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    id: 'rpc.simulatePolicyData.component-nowhere',
    title: 'an oracle whose component cannot be fetched is refused as unavailable data',
    clauses: ['7.2-06', '4.6-07', '7.3-17'],
    level: 'must',
    needs: [...new Set([...simulatePolicyDataSubject.needs, ...secretsNeeds])],
    twin: 'an oracle whose component is available',
    run: async (t) => {
      await t.twin(() => simulatePolicyDataSubject.accepted(t))
      const params = await simulatePolicyDataSubject.params(t)
      const policy_data_address = await policyDataWithComponent(t, nowhere)
      const answer = await simulatePolicyData(t, { ...params, policy_data_address })
      const says = /-32620|WASM execution failed|fetch|found|content|component/i
      t.observe(`an unavailable component: ${expectFailure(answer, says)}`)
      await simulatePolicyDataSubject.accepted(t)
    },
  },
]
