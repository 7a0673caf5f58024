import type { PolicyDataContext } from 'polgate-chain/reads.ts'
import { unixSeconds } from 'polgate-protocol/clock.ts'
import { RawJson } from 'polgate-protocol/exactJson.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type {
  SimulatePolicyDataParams,
  SimulatePolicyDataResult,
} from 'polgate-protocol/methods/simulatePolicyData.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import { parseEnvelope } from '../envelopes/envelope.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import type { DataRequest, DataSource } from '../operators/operator.ts'
import { checkData } from './checkAnswer.ts'
import { wasmArgsOf } from './prepare.ts'
import { operationalFailure } from './simulateTask.ts'
import type { Simulation } from './simulations.ts'
import { requireCompatible } from './versions.ts'

/**
 * `svc_simulatePolicyData` (section 4.6): an operator runs one oracle with secrets from the
 * request: base64 of an envelope (decision K8), which the operator decrypts in memory. The request
 * has no policy client, so the associated data uses the client of the envelope, and no ownership is
 * required. An envelope that was ever submitted for storage is not opened: anybody who has read it in a database could
 * hand its content to an oracle of their own (decision K17). Without secrets the oracle's `get()` returns an error, which the oracle handles.
 *
 * @throws ServiceError -32602 (also for secrets that are not an envelope), -32619
 */
export async function simulatePolicyData(
  simulation: Simulation,
  params: SimulatePolicyDataParams,
): Promise<SimulatePolicyDataResult> {
  const { deps } = simulation
  const wasmArgs = wasmArgsOf(params.wasm_args)
  const { envelope, policyClient } = readSecrets(params.secrets)
  try {
    requireChain(params.chain_id, deps.chain.chainId)
    if (envelope !== null && (await deps.fingerprints.wasSubmitted([envelope])))
      throw submittedForStorage()
    const { policyDataAddress, wasmCid } = await readCompatible(
      simulation,
      params.policy_data_address,
    )
    const source = { policyDataAddress, wasmCid, wasmArgs, envelope }
    return await runOracle(simulation, { policyClient, envelopeUse: 'simulation' }, source)
  } catch (error) {
    return { success: false, policy_data: null, error: operationalFailure(error).error }
  }
}

/** @throws ChainReadError, ServiceError -32619 */
export async function readCompatible(
  { deps }: Simulation,
  address: Address,
): Promise<PolicyDataContext> {
  const contract = await deps.chain.policyData(address)
  requireCompatible({ policyData: [{ address, version: contract.version }] }, deps.minimumVersions)
  return contract
}

/** Section 2.6: the output of the oracle, unmodified. */
export async function runOracle(
  { deps, ask }: Simulation,
  client: Pick<DataRequest, 'policyClient' | 'envelopeUse'>,
  source: DataSource,
): Promise<SimulatePolicyDataResult> {
  const { outputs } = await ask(async (operator, signal) =>
    checkData(await operator.collectData({ ...client, sources: [source] }, signal), 1),
  )
  const policy_data = {
    specifier: source.wasmCid,
    data: new RawJson(outputs[0]!),
    timestamp: unixSeconds(deps.clock),
  }
  return { success: true, policy_data, error: null }
}

const zeroAddress: Address = `0x${'0'.repeat(40)}`
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** @throws ServiceError -32602, without any content of the request */
function readSecrets(sent: string | undefined): {
  readonly envelope: string | null
  readonly policyClient: Address
} {
  if (sent === undefined) return { envelope: null, policyClient: zeroAddress }
  if (!base64.test(sent)) throw invalidFormat('secrets is not base64')
  try {
    const bytes = Buffer.from(sent, 'base64')
    const envelope = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const { policy_client } = parseEnvelope(envelope)
    return { envelope, policyClient: policy_client.toLowerCase() as Address }
  } catch (error) {
    throw invalidFormat(
      `secrets is not base64 of an envelope: ${error instanceof EnvelopeError ? error.message : 'it is not UTF-8'}`,
    )
  }
}

const submittedForStorage = () =>
  new ServiceError(
    'WASM execution failed: secrets cannot be opened: this envelope was submitted for storage; ' +
      'seal the secrets again for the simulation',
    {
      code: errorCode.dataProvider,
      clause: 'section 4.6, decision K17',
      hint: 'Seal the secrets again: every envelope is new.',
    },
  )

function requireChain(asked: number, served: number): void {
  if (asked === served) return
  throw new ServiceError(`Contract read failed: chain ${asked} is not served, only ${served}`, {
    code: errorCode.contract,
    clause: 'section 4.6',
    hint: 'Use the chain id of this gateway.',
  })
}
