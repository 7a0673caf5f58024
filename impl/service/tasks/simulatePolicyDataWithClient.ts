import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { SimulatePolicyDataResult } from 'polgate-protocol/methods/simulatePolicyData.ts'
import type { SimulatePolicyDataWithClientParams } from 'polgate-protocol/methods/simulatePolicyDataWithClient.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { usedKeyOf } from '../store/usedKey.ts'
import type { Caller } from './caller.ts'
import { dataSource } from './dataSource.ts'
import { requireOwner } from './ownership.ts'
import { wasmArgsOf } from './prepare.ts'
import { readCompatible, runOracle } from './simulatePolicyData.ts'
import { operationalFailure } from './simulateTask.ts'
import type { Simulation } from './simulations.ts'

/**
 * `svc_simulatePolicyDataWithClient` (section 4.7): an operator runs one oracle with the stored
 * secrets of a client that the caller owns.
 *
 * @throws ServiceError -32002, -32602, -32619
 */
export async function simulatePolicyDataWithClient(
  simulation: Simulation,
  params: SimulatePolicyDataWithClientParams,
  caller: Caller,
): Promise<SimulatePolicyDataResult> {
  const { deps } = simulation
  const policyClient = params.policy_client.toLowerCase() as Address
  const wasmArgs = wasmArgsOf(params.wasm_args)
  try {
    // Ownership first: other callers must not learn what exists.
    requireOwner(caller, policyClient, await deps.chain.owner(policyClient))
    const contract = await readCompatible(simulation, params.policy_data_address)
    const source = await dataSource(deps, policyClient, contract, wasmArgs, usedKeyOf(caller))
    if (contract.secretsSchemaCid !== '' && source.envelope === null) {
      throw noSecrets(deps.brand.methodPrefix, policyClient, params.policy_data_address)
    }
    // Once more with the secrets at hand: they may be those of a new owner.
    requireOwner(caller, policyClient, await deps.chain.owner(policyClient))
    return await runOracle(simulation, { policyClient }, source)
  } catch (error) {
    return { success: false, policy_data: null, error: operationalFailure(error).error }
  }
}

const noSecrets = (prefix: string, policyClient: Address, policyData: Address) =>
  new ServiceError(
    `No secrets found for policy_client ${policyClient} and policy_data ${policyData}; ` +
      `upload them with ${prefix}storeEncryptedSecrets or use ${prefix}simulatePolicyData`,
    {
      code: errorCode.dataProvider,
      clause: 'section 7.3',
      hint: 'Upload secrets for this policy client and PolicyData.',
    },
  )
