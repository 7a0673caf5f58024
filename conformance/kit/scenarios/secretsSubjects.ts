import { fixture } from './fixtures.ts'
import { wasmArgs } from './oracles.ts'
import type { Subject } from './refusedMember.ts'
import { chainIdOf } from './requests.ts'
import {
  acceptedSecrets,
  expectOracleRun,
  expectPrice,
  secretsNeeds,
  simulateWithClient,
  storeParams,
  withClientParams,
} from './secrets.ts'

export const storeSecretsSubject: Subject<'storeEncryptedSecrets'> = {
  method: 'storeEncryptedSecrets',
  needs: secretsNeeds,
  twin: 'storeEncryptedSecrets with a valid value',
  params: async (t) => storeParams(t, (await acceptedSecrets(t)).policyClient),
  key: 'write',
  accepted: acceptedSecrets,
}

/** The oracle that returns its input: fast, and without secrets. */
export const simulatePolicyDataSubject: Subject<'simulatePolicyData'> = {
  method: 'simulatePolicyData',
  needs: ['key:read', 'chain', 'oracles', `client:${fixture.echo}`],
  twin: 'simulatePolicyData with a valid value',
  params: (t) => ({
    policy_data_address: t.client(fixture.echo).policyData[0]!.address,
    chain_id: chainIdOf(t),
    wasm_args: wasmArgs(t, fixture.echo),
  }),
  accepted: async (t) =>
    expectOracleRun(
      await t.once('accepted oracle run', (gateway) =>
        gateway.call('simulatePolicyData', simulatePolicyDataSubject.params(t)),
      ),
    ),
}

export const simulateWithClientSubject: Subject<'simulatePolicyDataWithClient'> = {
  method: 'simulatePolicyDataWithClient',
  needs: [...secretsNeeds, 'oracles'],
  twin: 'simulatePolicyDataWithClient with a valid value',
  params: async (t) => withClientParams(t, (await acceptedSecrets(t)).policyClient),
  accepted: async (t) => {
    const { policyClient } = await acceptedSecrets(t)
    return expectPrice(await simulateWithClient(t, withClientParams(t, policyClient)))
  },
}
