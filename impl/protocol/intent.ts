import { type Static, Type } from '@sinclair/typebox'
import { Address, ChainId, Data, Quantity } from './scalars.ts'

/** The proposed transaction as sent by a caller (section 2.2). */
export const TaskIntent = Type.Object(
  {
    from: Address,
    to: Address,
    value: Quantity,
    data: Data,
    chain_id: ChainId,
    function_signature: Data,
  },
  { $id: 'TaskIntent' },
)
export type TaskIntent = Static<typeof TaskIntent>

/** The intent in results: camelCase, numbers as Quantity (decision T13). */
export const IntentView = Type.Object(
  {
    from: Address,
    to: Address,
    value: Quantity,
    data: Data,
    chainId: Quantity,
    functionSignature: Data,
  },
  { $id: 'IntentView' },
)
export type IntentView = Static<typeof IntentView>
