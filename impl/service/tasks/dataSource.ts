import type { PolicyDataContext } from 'polgate-chain/reads.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import type { DataSource } from '../operators/operator.ts'
import type { TaskDeps } from './taskDeps.ts'

/**
 * A source of a client, with the stored secrets of client and source if it declares any (section
 * 5.3).
 */
export async function dataSource(
  { secrets }: { readonly secrets: Pick<TaskDeps['secrets'], 'get'> },
  policyClient: Address,
  { policyDataAddress, wasmCid, secretsSchemaCid }: PolicyDataContext,
  wasmArgs: Data,
): Promise<DataSource> {
  const envelope =
    secretsSchemaCid === '' ? undefined : await secrets.get({ policyClient, policyDataAddress })
  return { policyDataAddress, wasmCid, wasmArgs, envelope: envelope ?? null }
}
