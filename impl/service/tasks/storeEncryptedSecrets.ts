import { RawJson } from 'polgate-protocol/exactJson.ts'
import type {
  StoreEncryptedSecretsParams,
  StoreEncryptedSecretsResult,
} from 'polgate-protocol/methods/storeEncryptedSecrets.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { parseEnvelope, type SecureEnvelope } from '../envelopes/envelope.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import { uploadRefused } from '../envelopes/secretsSchema.ts'
import { StoredForAnotherUse } from '../store/envelopeFingerprints.ts'
import type { Caller } from './caller.ts'
import { putAsOwner, requireOwner } from './ownership.ts'
import type { CallOperator } from './pickOperator.ts'
import { operationalFailure } from './simulateTask.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible } from './versions.ts'

/**
 * `svc_storeEncryptedSecrets` (section 4.5): an operator validates the content of the envelope
 * against the schema of the PolicyData; then the envelope is stored unmodified and replaces an
 * earlier one. A rejected upload leaves the earlier one in place. So does one of a former owner, however
 * long its validation takes.
 *
 * Every well-formed envelope is recorded as submitted, refused or not: simulations do not open it any more (decision K17).
 *
 * Order of checks: format of the envelope (-32602), ownership (-32002), then everything that is
 * reported in the result: client and chain of the envelope, the PolicyData, the secrets themselves.
 *
 * @throws ServiceError -32602, -32001, -32002, -32619
 */
export async function storeEncryptedSecrets(
  deps: TaskDeps,
  ask: CallOperator,
  params: StoreEncryptedSecretsParams,
  caller: Caller,
): Promise<StoreEncryptedSecretsResult> {
  const policyClient = params.policy_client.toLowerCase() as Address
  const policyDataAddress = params.policy_data_address.toLowerCase() as Address
  const { envelope } = params
  const sealed = readEnvelope(envelope)
  await deps.fingerprints.recordSubmitted(envelope)
  try {
    requireOwner(caller, policyClient, await deps.chain.owner(policyClient))
    requireScope(sealed, policyClient, deps.chain.chainId)
    const schemaCid = await schemaOf(deps, policyDataAddress)
    const request = { policyClient, policyDataAddress, schemaCid, envelope }
    const { schema } = await ask((operator, signal) => operator.checkSecrets(request, signal))
    const scope = { policyClient, policyDataAddress }
    await putAsOwner(deps, { scope, envelope, caller }).catch(otherUse)
    return { success: true, schema: new RawJson(schema), error: null }
  } catch (error) {
    return { success: false, schema: null, error: operationalFailure(error).error }
  }
}

function otherUse(error: unknown): never {
  throw error instanceof StoredForAnotherUse ? uploadRefused(error.message) : error
}

/** @throws ServiceError -32602 with the name of the member (decisions E6, K1) */
function readEnvelope(text: string): SecureEnvelope {
  try {
    return parseEnvelope(text)
  } catch (error) {
    throw error instanceof EnvelopeError ? invalidFormat(error.message) : error
  }
}

/** An envelope for another client or chain could not be decrypted on use (decision K2). */
function requireScope(sealed: SecureEnvelope, policyClient: Address, chainId: number): void {
  if (sealed.policy_client.toLowerCase() !== policyClient) {
    throw uploadRefused(`envelope.policy_client is not the policy client ${policyClient}`)
  }
  if (sealed.bound_use !== undefined && sealed.bound_use !== 'secrets') {
    throw uploadRefused(`envelope.bound_use is ${sealed.bound_use}, not secrets`)
  }
  if (sealed.chain_id !== chainId) {
    throw uploadRefused(`envelope.chain_id is ${sealed.chain_id}, this service is on ${chainId}`)
  }
}

async function schemaOf(deps: TaskDeps, policyDataAddress: Address): Promise<string> {
  const { secretsSchemaCid, version } = await deps.chain.policyData(policyDataAddress)
  requireCompatible({ policyData: [{ address: policyDataAddress, version }] }, deps.minimumVersions)
  if (secretsSchemaCid !== '') return secretsSchemaCid
  throw uploadRefused(`policy data ${policyDataAddress} declares no secrets`)
}
