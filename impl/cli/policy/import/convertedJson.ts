import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import { isObject } from './stubs.ts'

/** An intent as callers send it (section 2.2), from one as the explorer shows it. */
export function wireIntent(intent: unknown): unknown {
  if (!isObject(intent)) return intent
  const { chainId, functionSignature, ...rest } = intent
  const hex = (value: unknown): unknown => {
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
    return typeof text === 'string' && /^\d+$/.test(text) ? `0x${BigInt(text).toString(16)}` : value
  }
  return {
    ...rest,
    ...('value' in rest ? { value: hex(rest.value) } : {}),
    chain_id: hex(rest.chain_id ?? chainId),
    function_signature: rest.function_signature ?? functionSignature ?? '0x',
  }
}

export const jsonText = (value: unknown): string => `${stringifyExact(value)}\n`
