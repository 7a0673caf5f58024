import type { RpcPermission } from 'polgate-protocol/methods/method.ts'
import { invalidApiKey } from 'polgate-protocol/serviceError.ts'
import type { KeyPermission } from '../store/keyOptions.ts'
import { permissionRequired } from './errors.ts'
import type { Caller, KeyPort } from './ports.ts'

/**
 * The key of an `Authorization: Bearer` header (section 5.1); undefined for a missing or malformed
 * header. Duplicate headers arrive joined by a comma, which is malformed.
 */
export const bearerKey = (header: string | null | undefined): string | undefined =>
  /^Bearer ([\x21-\x2b\x2d-\x7e]{1,256})$/i.exec(header ?? '')?.[1]

/** @throws ServiceError -32001 `Invalid API key` */
export async function authenticate(
  keys: KeyPort,
  header: string | null | undefined,
): Promise<Caller> {
  const key = bearerKey(header)
  if (key === undefined) throw invalidApiKey()
  const record = await keys.lookup(key)
  if (record === undefined) throw invalidApiKey()
  const { id: keyId, rotatedAt, permissions, owners } = record
  return { keyId, rotatedAt, permissions, owners }
}

/**
 * The permissions of a key that grant each method permission; `admin` grants none (decision K9).
 */
const grants: Record<RpcPermission, readonly KeyPermission[]> = {
  RpcRead: ['rpc_read', 'rpc'],
  RpcWrite: ['rpc_write', 'rpc'],
}

/** @throws ServiceError -32003 `RpcRead permission required`, or `RpcWrite` */
export function requirePermission(
  caller: Pick<Caller, 'permissions'>,
  permission: RpcPermission,
): void {
  if (!caller.permissions.some((held) => grants[permission].includes(held)))
    throw permissionRequired(permission)
}
