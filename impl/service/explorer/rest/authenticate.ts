import { keyInvalid, keyRequired, keysUnavailable, permissionMissing } from './explorerError.ts'
import type { ExplorerKey, ExplorerKeys } from './ports.ts'
import { within } from './within.ts'

/**
 * The key in a request (section 5.6). A key after `Bearer` has priority; `X-API-Key` is used if
 * `Authorization` has no such key, as when a proxy uses that header for itself. A repeated header
 * arrives joined by a comma, which is not a valid key.
 */
function sentKey(headers: Headers): string | undefined {
  const bearer = /^Bearer (.+)$/is.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const own = headers.get('x-api-key') ?? ''
  return own === '' ? undefined : own
}

/** The syntax of keys; any other text is rejected without a look-up. */
const isKey = (text: string): boolean => /^[\x21-\x2b\x2d-\x7e]{1,256}$/.test(text)

/**
 * The record of the key of a request, with permission to read. Every request looks it up, so that a
 * replaced or deleted key is rejected from the next request on (section 5.6). The store looks keys
 * up by hash and compares them in constant time.
 *
 * @param patienceMs timeout of the look-up, milliseconds
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
