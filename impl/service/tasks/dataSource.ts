import type { PolicyDataContext } from 'polgate-chain/reads.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { invalidApiKey } from 'polgate-protocol/serviceError.ts'
import type { DataSource } from '../operators/operator.ts'
import { KeyChanged, type UsedKey } from '../store/usedKey.ts'
import type { TaskDeps } from './taskDeps.ts'

/**
 * A source of a client, with the stored secrets of client and source if it declares any (section
 * 5.3).
 *
 * @param key of the caller, where it decides who may use the secrets
 * @throws ServiceError -32001 if that key has changed meanwhile
 */
export async function dataSource(
  { secrets }: { readonly secrets: Pick<TaskDeps['secrets'], 'get'> },
  policyClient: Address,
  { policyDataAddress, wasmCid, secretsSchemaCid }: PolicyDataContext,
  wasmArgs: Data,
  key?: UsedKey,
): Promise<DataSource> {
  const scope = { policyClient, policyDataAddress }
  const envelope =
    secretsSchemaCid === '' ? undefined : await secrets.get(scope, key).catch(refused)
  return { policyDataAddress, wasmCid, wasmArgs, envelope: envelope ?? null }
}

function refused(error: unknown): never {
  throw error instanceof KeyChanged ? invalidApiKey() : error
}
