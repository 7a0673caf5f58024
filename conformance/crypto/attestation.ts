import {
  bytesToHex,
  concatHex,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  keccak256,
} from 'viem'
import { expectObject, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import {
  signatureParameters,
  taskResponseParameters,
  validateParameters,
  validateSelector,
} from './tuples.ts'

type Validated = ReturnType<typeof decodeAbiParameters<typeof validateParameters>>
export type Task = Validated[0]
export type TaskResponse = Validated[1]
export type Evidence = ReturnType<typeof decodeAbiParameters<typeof signatureParameters>>[0]

/** The input of the contract. */
export type Attestation = {
  readonly task: Task
  readonly response: TaskResponse
  readonly signatureData: Hex
}

/** The calldata sent to the contract. */
export const encodeAttestation = ({ task, response, signatureData }: Attestation): Hex =>
  concatHex([
    validateSelector,
    encodeAbiParameters(validateParameters, [task, response, signatureData]),
  ])

/** Decodes `validate_calldata`. Throws if it is not such a call. */
export function decodeAttestation(calldata: Hex): Attestation {
  expectThat(
    calldata.startsWith(validateSelector),
    'validate_calldata',
    `a call of validateAttestationDirect, selector ${validateSelector}`,
    calldata.slice(0, 10),
  )
  const [task, response, signatureData] = decodeAbiParameters(
    validateParameters,
    `0x${calldata.slice(10)}`,
  )
  return { task, response, signatureData }
}

export const decodeEvidence = (signatureData: Hex): Evidence =>
  decodeAbiParameters(signatureParameters, signatureData)[0]

export const encodeEvidence = (evidence: Evidence): Hex =>
  encodeAbiParameters(signatureParameters, [evidence])

/**
 * The digest that operators sign: the response with every data attestation emptied (decision C2).
 */
export function responseDigest(response: TaskResponse): Hex {
  const policyData = response.policyTaskData.policyData.map((entry) => ({
    ...entry,
    attestation: '0x' as const,
  }))
  return keccak256(
    encodeAbiParameters(taskResponseParameters, [
      { ...response, policyTaskData: { ...response.policyTaskData, policyData } },
    ]),
  )
}

/** keccak256 of the ABI-encoded intent (decision T1). */
export const intentHash = (intent: Task['intent']): Hex =>
  keccak256(
    encodeAbiParameters(
      [
        { type: 'address' },
        { type: 'address' },
        { type: 'uint256' },
        { type: 'bytes' },
        { type: 'uint256' },
        { type: 'bytes' },
      ],
      [intent.from, intent.to, intent.value, intent.data, intent.chainId, intent.functionSignature],
    ),
  )

function member(value: unknown, name: string): JsonObject {
  expectObject(value, name)
  return value
}

const intentOf = (view: JsonObject): Task['intent'] => ({
  from: view.from as Hex,
  to: view.to as Hex,
  value: BigInt(view.value as string),
  data: view.data as Hex,
  chainId: BigInt(view.chainId as string),
  functionSignature: view.functionSignature as Hex,
})

const bytesOf = (value: unknown): Hex => bytesToHex(Uint8Array.from(value as number[]))

const isBytes = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)

/**
 * Whether `task` is that of section 2.5. What the result in an update contains is open (clause 6.1-21): it
 * may have another member of this name.
 */
export const hasTask = ({ task }: JsonObject): boolean =>
  isObject(task) && isObject(task.intent) && isBytes(task.taskId)

/** The same for everything that the contract gets. */
export function hasAttestation(result: JsonObject): boolean {
  const { task_response: response } = result
  return (
    hasTask(result) &&
    isObject(response) &&
    isObject(response.intent) &&
    isObject(response.policy_task_data) &&
    isObject(response.policy_config) &&
    Array.isArray(response.evaluation_result) &&
    isBytes(response.signature_data ?? result.signature_data)
  )
}

/** The response as a struct, from the JSON of a task result (section 2.5). */
export function responseOfResult(result: JsonObject): TaskResponse {
  const view = member(result.task_response, 'task_response')
  const data = member(view.policy_task_data, 'task_response.policy_task_data')
  const config = member(view.policy_config, 'task_response.policy_config')
  const entries = data.policyData as readonly JsonObject[]
  return {
    taskId: view.task_id as Hex,
    policyClient: view.policy_client as Hex,
    policyId: view.policy_id as Hex,
    policyAddress: view.policy_address as Hex,
    intent: intentOf(member(view.intent, 'task_response.intent')),
    intentSignature: view.intent_signature as Hex,
    evaluationResult: bytesOf(view.evaluation_result),
    policyTaskData: {
      policyId: data.policyId as Hex,
      policyAddress: data.policyAddress as Hex,
      policy: data.policy as Hex,
      policyData: entries.map((entry) => ({
        wasmArgs: entry.wasmArgs as Hex,
        data: entry.data as Hex,
        attestation: entry.attestation as Hex,
        policyDataAddress: entry.policyDataAddress as Hex,
        expireBlock: Number(entry.expireBlock),
      })),
    },
    policyConfig: {
      policyParams: config.policyParams as Hex,
      expireAfter: Number(config.expireAfter),
    },
  }
}

/** The task as a struct, from the JSON of a task result (section 2.5, decision T13). */
export function taskOfResult(result: JsonObject): Task {
  const view = member(result.task, 'task')
  return {
    taskId: view.taskId as Hex,
    policyClient: view.policyClient as Hex,
    nonce: Number(view.nonce),
    taskCreatedBlock: Number(view.taskCreatedBlock),
    quorumThresholdPercentage: Number(view.quorumThresholdPercentage),
    intent: intentOf(member(view.intent, 'task.intent')),
    intentSignature: view.intentSignature as Hex,
    wasmArgs: view.wasmArgs as Hex,
    quorumNumbers: view.quorumNumbers as Hex,
  }
}

/** The decision of an evaluation result: true, false, a string or JSON (decision T11). */
export function decisionOf(evaluationResult: Hex): unknown {
  const bytes = hexToBytes(evaluationResult)
  if (bytes.length === 32) return BigInt(evaluationResult) === 1n
  try {
    return decodeAbiParameters([{ type: 'string' }], evaluationResult)[0]
  } catch {
    return JSON.parse(new TextDecoder().decode(bytes))
  }
}
