import { type Static, Type } from '@sinclair/typebox'
import { DataReference } from './dataReference.ts'
import type { Method } from './method.ts'

/** Section 4.10. */
export const GetConfidentialDataResult = Type.Object({
  /** Exactly as it was uploaded. */
  envelope: Type.String(),
  /** As the registry had it for the provider when the data came. */
  data_type: Type.String(),
})
export type GetConfidentialDataResult = Static<typeof GetConfidentialDataResult>

export const getConfidentialData = {
  summary: 'Gives back sealed data of a provider by its reference.',
  permission: 'RpcRead',
  params: DataReference,
  result: GetConfidentialDataResult,
} as const satisfies Method
