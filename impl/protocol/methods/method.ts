import { type TObject, type TSchema, Type } from '@sinclair/typebox'

/** Section 5.1. A key with `admin` does not have these by itself; one with `rpc` has both. */
export type RpcPermission = 'RpcRead' | 'RpcWrite'

/**
 * A row of the method table: the schemas check the parameters, give the types and become the
 * self-description, so that none of the three can say anything else than the others.
 */
export type Method = {
  readonly summary: string
  readonly permission: RpcPermission
  readonly params: TObject
  readonly result: TSchema
}

/** Methods without parameters accept absence, null, an empty object or an empty array. */
export const NoParams = Type.Object({})
