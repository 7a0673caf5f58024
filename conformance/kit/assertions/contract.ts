import { operatorRegistryAbi, policyDataAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import {
  BaseError,
  type ContractErrorName,
  decodeErrorResult,
  type Hex,
  hexToBigInt,
  isHex,
} from 'viem'
import { ConformanceError, Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { type Attestation, encodeAttestation } from '../../crypto/attestation.ts'
import { isReadOnly } from '../../targets/limits.ts'
import { lacking } from '../../targets/targetLine.ts'

const errorAbi = [...taskManagerAbi, ...operatorRegistryAbi, ...policyDataAbi].filter(
  (item) => item.type === 'error',
)

/** The contract's response to an attestation: the decision, or the name of its error. */
export type ContractAnswer =
  | { readonly kind: 'decision'; readonly allowed: boolean }
  | { readonly kind: 'refused'; readonly error: string }

function errorNameOf(error: unknown): string {
  if (!(error instanceof BaseError)) throw error
  const raw = error.walk((cause) => isHex((cause as { data?: unknown }).data)) as {
    data?: Hex
  } | null
  if (raw?.data !== undefined && raw.data !== '0x') {
    try {
      return decodeErrorResult({ abi: errorAbi, data: raw.data }).errorName as ContractErrorName
    } catch {
      return `error ${raw.data.slice(0, 10)}`
    }
  }
  if (/revert/i.test(error.message)) return 'reverted'
  throw error
}

/**
 * Simulates calldata on the contract, as the policy client would send it, without changing the
 * chain. The client is the caller of `eth_call`: no key is needed. With `block` it is simulated at
 * that block, which may be in the future; with `state` on the state after an earlier block.
 */
export async function callContract(
  t: CheckContext,
  calldata: Hex,
  policyClient: Hex,
  block?: bigint,
  state?: bigint,
): Promise<ContractAnswer> {
  const manager = t.target.chain?.taskManager
  if (manager === undefined) throw lacking('the target has no task manager', 'chain', t.target)
  try {
    const { data } = await t.chain().call({
      account: policyClient,
      to: manager,
      data: calldata,
      ...(block === undefined ? {} : { blockOverrides: { number: block } }),
      ...(state === undefined ? {} : { blockNumber: state }),
    })
    if (data === undefined) return { kind: 'refused', error: 'no contract answered' }
    return { kind: 'decision', allowed: hexToBigInt(data) === 1n }
  } catch (error) {
    return { kind: 'refused', error: errorNameOf(error) }
  }
}

const decisionWord = (allowed: boolean) => (allowed ? 'allowed' : 'denied')

/** The contract accepts the attestation with that decision. */
export async function expectDecision(
  t: CheckContext,
  attestation: Attestation,
  allowed: boolean,
): Promise<void> {
  const { policyClient } = attestation.task
  const answer = await callContract(t, encodeAttestation(attestation), policyClient)
  if (answer.kind !== 'decision' || answer.allowed !== allowed)
    throw new ConformanceError('the contract’s response is wrong', {
      expected: decisionWord(allowed),
      observed:
        answer.kind === 'refused' ? `refused: ${answer.error}` : decisionWord(answer.allowed),
    })
}

/** The contract rejects the attestation; returns the name of its error. */
export async function expectRefused(
  t: CheckContext,
  attestation: Attestation,
  what: string,
  caller: Hex = attestation.task.policyClient,
): Promise<string> {
  let calldata: Hex
  try {
    calldata = encodeAttestation(attestation)
  } catch {
    return 'it cannot be encoded'
  }
  const answer = await callContract(t, calldata, caller)
  if (answer.kind === 'decision')
    throw new ConformanceError('the contract accepts a changed attestation', {
      expected: `a refusal of ${what}`,
      observed: `accepted, with the decision ${decisionWord(answer.allowed)}`,
    })
  return answer.error
}

/** A request to a development node: mine, impersonate, set a balance. */
export async function devNode(
  t: CheckContext,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  if (t.target.limits?.readOnly) throw isReadOnly('changes the chain')
  return t.chain().request({ method, params } as never)
}

/** Returns NUMBER: a node that supports block overrides returns the overridden number. */
const returnBlockNumber = '0x4360005260206000f3'

/** Throws `Untestable` if the node does not support block overrides. */
export async function expectBlockOverrides(t: CheckContext): Promise<void> {
  const asked = 123_456_789n
  const { data } = await t
    .chain()
    .call({ data: returnBlockNumber, blockOverrides: { number: asked } })
    .catch(() => ({ data: undefined }))
  if (data === undefined || hexToBigInt(data) !== asked)
    throw new Untestable('the node of the chain does not support block overrides in eth_call')
}
