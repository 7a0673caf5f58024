import { keyInvalid, keyRequired, keysUnavailable, permissionMissing } from './explorerError.ts'
import type { ExplorerKey, ExplorerKeys } from './ports.ts'
import { within } from './within.ts'

/**
 * The key that a request sends (section 5.6). A key after `Bearer` counts and nothing else then;
 * `X-API-Key` counts where `Authorization` has no such key, as when a proxy uses that header for
 * itself. A header sent twice arrives joined by a comma and is no key that exists.
 */
function sentKey(headers: Headers): string | undefined {
  const bearer = /^Bearer (.+)$/is.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const own = headers.get('x-api-key') ?? ''
  return own === '' ? undefined : own
}

/** What a key can look like at all; anything else is unknown without asking. */
const isKey = (text: string): boolean => /^[\x21-\x2b\x2d-\x7e]{1,256}$/.test(text)

/**
 * The record of the key of a request, which has the permission to read. Every request asks anew, so
 * that a key that was replaced or deleted counts no more (section 5.6). Keys are found by their hash
 * and compared in constant time by whoever keeps them.
 *
 * @param patienceMs how long to wait for an answer, milliseconds
 * @throws ExplorerError 401, 403, or 503 when keys cannot be checked
 */
export async function authenticate(
  keys: ExplorerKeys,
  headers: Headers,
  patienceMs: number,
): Promise<ExplorerKey> {
  const text = sentKey(headers)
  if (text === undefined) throw keyRequired()
  if (!isKey(text)) throw keyInvalid()
  const key = await within(patienceMs, () => keys.lookup(text)).catch((cause: unknown) => {
    throw keysUnavailable(cause)
  })
  if (key === undefined) throw keyInvalid()
  if (!key.permissions.some((held) => held === 'rpc_read' || held === 'rpc'))
    throw permissionMissing()
  return key
}
