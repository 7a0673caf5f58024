import { ChainReadError } from 'polgate-chain/errors.ts'
import type { ClientContext } from 'polgate-chain/reads.ts'
import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import type { SuppliedData, SuppliedTaskData } from 'polgate-protocol/policyTaskData.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import { isAttested } from '../attestation/policyDataAttestation.ts'
import type { EvaluationRequest } from '../operators/operator.ts'
import { hexToText } from './prepare.ts'
import { type SuppliedWarning, unlistedData, warningsWithoutClient } from './suppliedWarnings.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible, requireKnownDigest } from './versions.ts'

/** The inputs of an evaluation besides the intent. */
export type Stage = Omit<EvaluationRequest, 'intent' | 'intentSignature' | 'intentDigest' | 'now'>

export type SuppliedStage = {
  readonly stage: Stage
  readonly attestations: readonly SuppliedAttestation[]
  readonly warnings: readonly SuppliedWarning[]
  /** The EIP-712 domain of the intent; undefined for a client without one, and without a client. */
  readonly domain: IntentDomain | undefined
}

/** The attestation of supplied data, as reported in `details` of the result. */
export type SuppliedAttestation = {
  readonly policy_data_address: Address
  /** `absent`: none, or `0x`, was sent. `none_required`: the PolicyData lists no attesters. */
  readonly attestation: 'verified' | 'absent' | 'none_required'
}

type Deps = Pick<TaskDeps, 'chain' | 'minimumVersions'>

/**
 * The Rego stage on data from the caller (section 4.4). The data and, if its source is included,
 * the policy are the caller's; everything else comes from the chain, with a client from that
 * client. Data that the contracts would reject is rejected here: expired data, and an attestation
 * that is not by a listed attester. Data without an attestation is accepted, and reported as such.
 * What only a client or a deployed policy could tell is reported as a warning (decision T15).
 *
 * @param policyClient a client that must use the policy and its data, if given
 * @throws ServiceError -32602, also for a client of another policy, data that its policy does not
 * list, and an id that a deployed policy has no configuration for; -32618, -32619; -32620 for data
 * that the contracts would reject; ChainReadError
 */
export async function suppliedStage(
  deps: Deps,
  supplied: SuppliedTaskData,
  policyClient: Address | undefined,
): Promise<SuppliedStage> {
  const source = hexToText(supplied.policy)
  if (source === undefined) throw invalidFormat('policy_task_data.policy is not UTF-8')
  const data = supplied.policyData.map((entry, at) => outputOf(entry.data, at))
  const client =
    policyClient === undefined ? undefined : await clientWithPolicy(deps, policyClient, supplied)
  await requireUnexpired(deps, supplied.policyData)
  const attestations = await Promise.all(
    supplied.policyData.map((entry, at) => requireAttested(deps, entry, at)),
  )
  const deployed = client === undefined ? await configuredPolicy(deps, supplied, source) : undefined
  const configured = client ?? deployed
  if (configured !== undefined) {
    requireCompatible({ policy: configured.version, policyData: [] }, deps.minimumVersions)
  }
  const stage = {
    policy: source === '' ? { cid: configured!.policyCid } : { source },
    entrypoint: configured?.entrypoint ?? 'policy.allow',
    params: policyParamsJson(configured?.policyConfig.policyParams ?? ''),
    // As in a task (decision R8); a supplied source may have other parameters.
    paramsSchemaCid: source === '' ? configured!.schemaCid : '',
    data,
  }
  const warnings = client === undefined ? warningsWithoutClient(supplied, deployed) : []
  return { stage, attestations, warnings, domain: client?.signingDomain }
}

/**
 * The policy at the address; undefined if there is no contract and the caller supplied the source.
 *
 * @throws ServiceError -32602 for an id that the policy has no configuration for: with empty
 * parameters it could allow what it allows no client
 */
async function configuredPolicy({ chain }: Deps, supplied: SuppliedTaskData, source: string) {
  const { policyAddress, policyId } = supplied
  const policy = await chain.configuredPolicy(policyAddress, policyId).catch((error) => {
    if (source !== '' && isMissing(error)) return undefined
    throw error
  })
  if (policy === undefined) return undefined
  const { policyConfig } = policy
  if (policyConfig !== undefined) return { ...policy, policyConfig }
  throw invalidFormat(
    `policy_task_data.policyId is ${policyId}, for which policy ${policyAddress} has no configuration; send what getPolicyId() of a client of this policy returns`,
  )
}

const isMissing = (error: unknown) =>
  error instanceof ChainReadError && error.code === 'no-contract'

/** @throws ServiceError -32602 with the member that is not of the client */
async function clientWithPolicy(
  { chain }: Deps,
  policyClient: Address,
  { policyId, policyAddress, policyData }: SuppliedTaskData,
): Promise<ClientContext> {
  const client = await chain.clientContext(policyClient)
  const members = [
    ['policyAddress', policyAddress, client.policyAddress],
    ['policyId', policyId, client.policyId],
  ] as const
  for (const [member, given, expected] of members) {
    if (given.toLowerCase() === expected.toLowerCase()) continue
    throw invalidFormat(
      `policy_task_data.${member} is not that of policy_client, which is ${expected}`,
    )
  }
  const listed = client.policyData.map(({ policyDataAddress }) => policyDataAddress)
  const [unlisted] = unlistedData(policyData, listed)
  if (unlisted === undefined) return client
  throw invalidFormat(
    `policy_task_data.policyData[${unlisted}].policyDataAddress is not a PolicyData that the policy of policy_client lists: ${listed.join(', ') || 'it lists none'}`,
  )
}

/** Data is valid while the block is below `expireBlock`, as on chain; 0 means no expiry. */
async function requireUnexpired({ chain }: Deps, entries: readonly SuppliedData[]): Promise<void> {
  if (entries.every(({ expireBlock }) => expireBlock === 0)) return
  const block = await chain.latestBlock()
  entries.forEach(({ expireBlock }, at) => {
    if (expireBlock === 0 || block < expireBlock) return
    throw refusedData(at, `expired at block ${expireBlock}; the chain is at block ${block}`)
  })
}

async function requireAttested(
  { chain, minimumVersions }: Deps,
  { attestation, ...entry }: SuppliedData,
  at: number,
): Promise<SuppliedAttestation> {
  const { policyDataAddress: address } = entry
  const absent = attestation === undefined || attestation === '0x'
  const contract = await chain.policyData(address).catch((error) => {
    if (absent && isMissing(error)) return undefined
    throw error
  })
  if (contract === undefined) return { policy_data_address: address, attestation: 'absent' }
  const { attesters, version } = contract
  requireCompatible({ policyData: [{ address, version }] }, minimumVersions)
  if (absent) {
    const none = attesters.length === 0
    return { policy_data_address: address, attestation: none ? 'none_required' : 'absent' }
  }
  requireKnownDigest(contract)
  const attested = { ...contract, ...entry, chainId: chain.chainId }
  if (await isAttested(attested, attestation, attesters))
    return { policy_data_address: address, attestation: 'verified' }
  throw refusedData(
    at,
    attesters.length === 0
      ? `has an attestation, but PolicyData ${address} lists no attesters`
      : `is not attested: the attestation is not a signature of an attester of PolicyData ${address} over this data`,
  )
}

const refusedData = (at: number, what: string) =>
  new ServiceError(`Policy data rejected: policy_task_data.policyData[${at}] ${what}`, {
    code: errorCode.dataProvider,
    clause: 'section 2.4, decision C8',
    hint: 'Supply fresh, attested data, or omit attestation and set expireBlock to 0.',
  })

function outputOf(data: Data, at: number): string {
  const text = data === '0x' ? '{}' : hexToText(data)
  const member = `policy_task_data.policyData[${at}].data`
  if (text === undefined) throw invalidFormat(`${member} is not UTF-8`)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  } catch {
    // The parser's message would contain the data.
  }
  throw invalidFormat(`${member} is not a JSON object`)
}
