import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { Address, Bytes32, Hex } from 'polgate-protocol/scalars.ts'
import { toFunctionSelector } from 'viem'
import { type ArgumentValue, bytesOf, decodeArguments } from './decodeArguments.ts'
import { parseFunctionSignature } from './functionSignature.ts'
import type { Intent } from './intent.ts'

/** A decoded call (decision R1). */
export type DecodedCall = { readonly name: string; readonly arguments: readonly ArgumentValue[] }

/**
 * The intent in a policy's input and in `parsed_intent` of section 2.6; `bigint` is a JSON number.
 */
export type ParsedIntent = {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  readonly chain_id: bigint
  readonly function_signature: Hex
  readonly function: DecodedCall | null
  readonly decoded_function_signature: string | null
  readonly decoded_function_arguments: readonly ArgumentValue[] | null
  /** EIP-712 digest of the intent; absent if the client has no readable signing domain. */
  readonly intent_digest?: Bytes32
}

export type PolicyInput = ParsedIntent & { readonly intent_signature?: Hex }

/**
 * Decodes the call of an intent by its human-readable signature; undefined if there is no call, the
 * signature is invalid, or the calldata does not match it (decision R3). Never throws.
 */
function decodeCall(intent: Intent): (DecodedCall & { canonical: string }) | undefined {
  const text = Buffer.from(bytesOf(intent.functionSignature)).toString('utf8')
  const signature = parseFunctionSignature(text)
  if (signature === undefined) return undefined
  const selector = toFunctionSelector(`function ${signature.canonical}`)
  if (intent.data.slice(0, 10) !== selector) return undefined
  const decoded = decodeArguments(signature.inputs, bytesOf(intent.data).subarray(4))
  if (decoded === undefined) return undefined
  return { name: signature.name, arguments: decoded, canonical: signature.canonical }
}

/** Parses an intent: lower-case addresses, exact numbers, the call by name (section 2.6). */
export function parsedIntent(intent: Intent, digest?: Bytes32): ParsedIntent {
  const call = decodeCall(intent)
  return {
    from: intent.from,
    to: intent.to,
    value: intent.value,
    data: intent.data,
    chain_id: intent.chainId,
    function_signature: intent.functionSignature,
    function: call === undefined ? null : { name: call.name, arguments: call.arguments },
    decoded_function_signature: call?.canonical ?? null,
    decoded_function_arguments: call?.arguments ?? null,
    ...(digest === undefined ? {} : { intent_digest: digest }),
  }
}

/** The signature of an intent as sent, and the digest to be signed. */
export type IntentCredentials = {
  readonly signature?: Hex | undefined
  readonly digest?: Bytes32 | undefined
}

/** The `input` of Rego: the parsed intent, and the signature if one was sent (section 1). */
export const policyInput = (
  intent: Intent,
  { signature, digest }: IntentCredentials = {},
): PolicyInput => ({
  ...parsedIntent(intent, digest),
  ...(signature === undefined ? {} : { intent_signature: signature }),
})

/** `policyInput` as JSON text with every digit of its numbers (decision R1). */
export const policyInputJson = (intent: Intent, credentials?: IntentCredentials): string =>
  stringifyExact(policyInput(intent, credentials))
