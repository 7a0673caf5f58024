import type { Address } from 'polgate-protocol/scalars.ts'
import { StoreError } from './storeError.ts'

/** `rpc` implies the first two (section 5.6); `admin` implies none of the others (decision K9). */
const keyPermissions = ['rpc_read', 'rpc_write', 'rpc', 'admin'] as const
export type KeyPermission = (typeof keyPermissions)[number]

export type CreateKeyOptions = {
  readonly name: string
  readonly permissions: readonly KeyPermission[]
  readonly owners?: readonly Address[] | undefined
  readonly expiresAt?: Date | undefined
  /** A chosen key, for development stacks; at least 16 characters. */
  readonly key?: string | undefined
}

const maxOwners = 1_000

/** A value from the user, truncated for a message. */
function quoted(value: unknown): string {
  const text = String(value)
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}...` : text)
}

const invalid = (message: string, hint: string) =>
  new StoreError(message, { code: 'invalid', hint })

/**
 * Validates the options of a new key. Duplicate permissions are removed, owners are lower-cased.
 *
 * @throws StoreError `invalid`, naming the member
 */
export function checkKeyOptions(options: CreateKeyOptions): CreateKeyOptions {
  const { name, permissions, owners = [], expiresAt } = options
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,200}$/u.test(name))
    throw invalid('The name of a key must have 1 to 200 characters', 'Name the purpose of the key.')
  if (!Array.isArray(permissions)) throw unknownPermission(permissions)
  const unknown = permissions.find((permission) => !keyPermissions.includes(permission))
  if (unknown !== undefined) throw unknownPermission(unknown)
  if (!Array.isArray(owners) || owners.length > maxOwners)
    throw invalid(`owners must be a list of at most ${maxOwners} addresses`, 'Create another key.')
  const stranger = owners.find((owner) => !/^0x[0-9a-fA-F]{40}$/.test(String(owner)))
  if (stranger !== undefined)
    throw invalid(`Owner ${quoted(stranger)} is not an address`, 'Write 0x and 40 hex digits.')
  if (expiresAt !== undefined && !(expiresAt.getTime() <= 8.64e15))
    throw invalid('The expiry is not a valid time', 'Write it as 2030-12-31T23:59:59Z.')
  return {
    ...options,
    permissions: [...new Set(permissions)],
    owners: [...new Set(owners.map((owner) => owner.toLowerCase() as typeof owner))],
  }
}

const unknownPermission = (permission: unknown) =>
  invalid(
    `Unknown permission ${quoted(permission)}`,
    `Permissions are ${keyPermissions.join(', ')}.`,
  )
