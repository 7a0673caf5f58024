import type { ApiKeyRecord } from 'polgate-service/store/apiKeys.ts'

/** One line of text about a key. */
export function describeKey(record: ApiKeyRecord): string {
  const { id, name, permissions, owners, rotatedAt, expiresAt } = record
  const expired = expiresAt !== null && new Date(expiresAt).getTime() <= Date.now()
  return [
    `id ${id}`,
    name,
    permissions.length === 0 ? 'no permission' : permissions.join('+'),
    ...(owners.length === 0 ? [] : [`owners ${owners.join(' ')}`]),
    ...(rotatedAt === null ? [] : [`rotated ${new Date(rotatedAt).toISOString()}`]),
    ...(expiresAt === null
      ? []
      : [`${expired ? 'expired' : 'expires'} ${new Date(expiresAt).toISOString()}`]),
  ].join('  ')
}
