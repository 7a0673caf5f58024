import { type Static, Type } from '@sinclair/typebox'
import { DataReference } from './dataReference.ts'
import type { Method } from './method.ts'

/** Section 4.10. */
export const GetConfidentialDataResult = Type.Object({
  /** Exactly as uploaded. */
  envelope: Type.String(),
  /** Data type that the registry had for the provider at the time of the upload. */
  data_type: Type.String(),
})
export type GetConfidentialDataResult = Static<typeof GetConfidentialDataResult>

export const getConfidentialData = {
  summary: 'Returns sealed data of a provider by its reference.',
  permission: 'RpcRead',
  params: DataReference,
  result: GetConfidentialDataResult,
} as const satisfies Method
