import type { TaskIntent } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import type { IntentDomain } from './readIntentDomain.ts'

const types = {
  Intent: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'chainId', type: 'uint256' },
    { name: 'functionSignature', type: 'bytes' },
  ],
} as const

/** The typed data of an intent signature (section 4.2). */
export const intentTypedData = (intent: TaskIntent, domain: IntentDomain) => ({
  domain,
  types,
  primaryType: 'Intent' as const,
  message: {
    from: intent.from,
    to: intent.to,
    value: BigInt(intent.value),
    data: intent.data,
    chainId: BigInt(intent.chain_id),
    functionSignature: intent.function_signature as Hex,
  },
})
