import type { Data } from 'polgate-protocol/scalars.ts'
import { encodeAbiParameters, toHex } from 'viem'

/**
 * Encodes a policy's value for the chain (decision T11): 32 bytes for a boolean, an ABI string for
 * a string, UTF-8 JSON for anything else. Only uint 1 and the string `true` allow.
 *
 * @param json the value as JSON text
 */
export function encodeEvaluationResult(json: string): Data {
  if (json === 'true') return encodeAbiParameters([{ type: 'bool' }], [true])
  if (json === 'false') return encodeAbiParameters([{ type: 'bool' }], [false])
  if (json.startsWith('"')) {
    return encodeAbiParameters([{ type: 'string' }], [JSON.parse(json) as string])
  }
  return toHex(new TextEncoder().encode(json))
}
