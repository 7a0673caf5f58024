import { type TObject, type TSchema, Type } from '@sinclair/typebox'

/** Permissions (section 5.1). A key with `admin` alone has neither; a key with `rpc` has both. */
export type RpcPermission = 'RpcRead' | 'RpcWrite'

/**
 * A row of the method table. Its schemas validate the params, provide the types and generate the
 * self-description, so that these always agree.
 */
export type Method = {
  readonly summary: string
  readonly permission: RpcPermission
  readonly params: TObject
  readonly result: TSchema
}

/** Methods without params accept absence, null, an empty object or an empty array. */
export const NoParams = Type.Object({})
