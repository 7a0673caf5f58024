import type { Address } from 'polgate-protocol/scalars.ts'
import { StoreError } from './storeError.ts'

/** `rpc` is both of the first two (section 5.6); `admin` gives none of them (decision K9). */
const keyPermissions = ['rpc_read', 'rpc_write', 'rpc', 'admin'] as const
export type KeyPermission = (typeof keyPermissions)[number]

export type CreateKeyOptions = {
  readonly name: string
  readonly permissions: readonly KeyPermission[]
  readonly owners?: readonly Address[] | undefined
  readonly expiresAt?: Date | undefined
  /** A key of the caller's choice, for development stacks; 16 characters at least. */
  readonly key?: string | undefined
}

const maxOwners = 1_000

/** What a person wrote, short enough for a message. */
const quoted = (value: unknown): string => {
  const text = String(value)
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}...` : text)
}

const invalid = (message: string, hint: string) =>
  new StoreError(message, { code: 'invalid', hint })

/**
 * The options of a new key, as whoever asks for it wrote them: a permission named twice counts once,
 * owners are in lower case.
 *
 * @throws StoreError `invalid`, naming the member
 */
export function checkKeyOptions(options: CreateKeyOptions): CreateKeyOptions {
  const { name, permissions, owners = [], expiresAt } = options
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,200}$/u.test(name))
    throw invalid('The name of a key has 1 to 200 characters', 'Say what the key is for.')
  if (!Array.isArray(permissions)) throw unknownPermission(permissions)
  const unknown = permissions.find((permission) => !keyPermissions.includes(permission))
  if (unknown !== undefined) throw unknownPermission(unknown)
  if (!Array.isArray(owners) || owners.length > maxOwners)
    throw invalid(`A key has a list of owners, at most ${maxOwners}`, 'Make another key.')
  const stranger = owners.find((owner) => !/^0x[0-9a-fA-F]{40}$/.test(String(owner)))
  if (stranger !== undefined)
    throw invalid(`Owner ${quoted(stranger)} is not an address`, 'It is 0x and 40 hex digits.')
  if (expiresAt !== undefined && !(expiresAt.getTime() <= 8.64e15))
    throw invalid('The expiry is not a time', 'Write it as 2030-12-31T23:59:59Z.')
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
