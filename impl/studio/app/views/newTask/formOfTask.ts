import { functionOf } from 'polgate-client/intents/encodeCall.ts'
import type { LatestTask } from 'polgate-protocol/control/latestTask.ts'
import { decodeFunctionData, type Hex, hexToString } from 'viem'
import type { IntentForm } from './intentForm.ts'

/** The form with which the task was, or could have been, created. */
export function formOfTask({ intent, wasmArgs = '0x' }: LatestTask): Partial<IntentForm> {
  return {
    ...{ from: intent.from, to: intent.to, value: String(BigInt(intent.value)), unit: 'wei' },
    wasmArgs: hexToString(wasmArgs as Hex),
    ...callOf(intent.data as Hex, hexToString(intent.function_signature as Hex)),
  }
}

function callOf(data: Hex, signature: string): Partial<IntentForm> {
  if (signature === '') return data === '0x' ? { call: 'none' } : { call: 'data', data }
  try {
    const { args = [] } = decodeFunctionData({ abi: [functionOf(signature)], data })
    return { call: 'signature', signature, args: args.map(textOf) }
  } catch {
    // Such as calldata of another function: the policy may deny just that.
    return { call: 'data', data }
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'object'
    ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
    : String(value)
