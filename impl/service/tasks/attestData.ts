import type { ClientContext } from 'polgate-chain/reads.ts'
import type { PolicyTaskData } from 'polgate-protocol/policyTaskData.ts'
import { attestPolicyData } from '../attestation/policyDataAttestation.ts'
import type { TaskDeps } from './taskDeps.ts'

/**
 * The settled data with the attestations that its sources require (decision C8). A source without
 * attesters requires none; operators sign such data directly (decision C2).
 */
export async function attestData(
  deps: Pick<TaskDeps, 'attester'>,
  client: ClientContext,
  data: PolicyTaskData,
): Promise<PolicyTaskData> {
  const policyData = await Promise.all(
    data.policyData.map(async (entry, at) => {
      const { attesters, wasmCid, secretsSchemaCid } = client.policyData[at]!
      if (attesters.length === 0) return entry
      const attested = { ...entry, wasmCid, secretsSchemaCid }
      return { ...entry, attestation: await attestPolicyData(attested, deps.attester) }
    }),
  )
  return { ...data, policyData }
}
