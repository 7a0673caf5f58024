import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { type Intent, intentHash, parseIntent } from '../intents/intent.ts'
import { encodeIntentSignature } from '../intents/intentSignature.ts'
import { requireSealedFor, splitPrivacy } from './privacyArgs.ts'
import { defaultQuorum, parseQuorumNumbers, withPrefix } from './quorumNumbers.ts'

/** A request for evaluation, with all defaults applied. */
export type PreparedTask = {
  readonly policyClient: Address
  readonly intent: TaskIntent
  readonly parsed: Intent
  readonly intentHash: Bytes32
  /** 65 bytes, or null if none was sent. */
  readonly intentSignature: Data | null
  readonly quorumNumbers: Data
  readonly quorums: readonly number[]
  /** Percent. */
  readonly threshold: number
  /** `0x` if none were sent; without the reserved member. */
  readonly wasmArgs: Data
  /** Ephemeral envelopes by name; never stored (section 4.10). */
  readonly privacy: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly includeCalldata: boolean
}

/** Section 8. */
const defaultTimeoutSeconds = 30

/**
 * Parses the parameters of the task methods (section 4.2). Nothing is stored yet.
 *
 * @throws ServiceError for a signature that is not 65 bytes, invalid quorum numbers or `wasm_args`
 */
export function prepareTask(params: CreateTaskParams): PreparedTask {
  const { encoded, numbers } = parseQuorumNumbers(params.quorum_number)
  const parsed = parseIntent(params.intent)
  const policyClient = params.policy_client.toLowerCase() as Address
  const args = splitPrivacy(encodedArgs(params.wasm_args))
  requireSealedFor(policyClient, args)
  return {
    policyClient,
    intent: params.intent,
    parsed,
    intentHash: intentHash(parsed),
    intentSignature: signatureOf(params.intent_signature),
    quorumNumbers: encoded,
    quorums: numbers,
    threshold: params.quorum_threshold_percentage ?? defaultQuorum.threshold,
    ...args,
    timeoutMs: (params.timeout ?? defaultTimeoutSeconds) * 1000,
    includeCalldata: params.include_validate_calldata ?? false,
  }
}

/** @throws ServiceError that requires exactly 65 bytes (section 7.3) */
export const signatureOf = (sent: string | undefined): Data | null =>
  sent === undefined ? null : encodeIntentSignature(sent)

/**
 * What oracles see of `wasm_args`.
 *
 * @throws ServiceError -32602 for bytes that are not UTF-8 (section 2.1), and for a malformed
 * reserved member
 */
export const wasmArgsOf = (sent: string | undefined): Data =>
  splitPrivacy(encodedArgs(sent)).wasmArgs

function encodedArgs(sent: string | undefined): Data {
  const encoded = withPrefix(sent ?? '0x')
  if (hexToText(encoded) === undefined) throw invalidFormat('wasm_args is not UTF-8')
  return encoded
}

/** Decodes hex as UTF-8; undefined if invalid. */
export function hexToText(hex: Data): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(hex.slice(2), 'hex'))
  } catch {
    return undefined
  }
}
