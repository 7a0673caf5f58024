import { randomBytes } from 'node:crypto'
import { type KeyName, keyVariable } from '../../core/exchange.ts'
import { failureText } from '../../core/failureText.ts'
import type { Gateway } from '../../core/gateway.ts'
import type { Target } from '../../core/target.ts'
import { createGateway } from '../../wire/gateway.ts'
import { type Diagnosed, notOk, ok } from './diagnosis.ts'

/** Expected responses to a read and a write for a key of each kind (section 5.1). */
const expected: Readonly<Record<KeyName, { readonly read: Reply; readonly write: Reply }>> = {
  read: { read: 'taken', write: 403 },
  write: { read: 403, write: 'taken' },
  rpc: { read: 'taken', write: 'taken' },
  none: { read: 403, write: 403 },
  expired: { read: 401, write: 401 },
  stranger: { read: 'taken', write: 'taken' },
  admin: { read: 403, write: 403 },
}

type Reply = 'taken' | 401 | 403
type Seen = Reply | `HTTP ${number}`

async function replyTo(
  gateway: Gateway,
  method: string,
  key: Parameters<Gateway['call']>[2],
): Promise<Seen> {
  // Empty params: a permitted call fails with invalid params, and nothing happens.
  const { status } = await gateway.call(method, {}, key)
  if (status === 401 || status === 403) return status
  return status === 200 ? 'taken' : `HTTP ${status}`
}

/** Whether each key has its declared permission: tested with a read, and with an empty write. */
export async function diagnoseKeys(
  target: Target,
  fetch: typeof globalThis.fetch,
): Promise<readonly Diagnosed[]> {
  const transport = { baseUrl: target.gatewayUrl, keys: target.keys, fetch }
  const gateway = createGateway(transport, target.brand, { saw: () => {} })
  const readOnly = target.limits?.readOnly === true
  const examine = async (name: KeyName): Promise<Diagnosed> => {
    if (target.keys[name] === undefined)
      return notOk(
        name === 'admin' ? 'warn' : 'missing',
        'keys',
        name,
        'the target has none',
        `Set ${keyVariable(name)}, or keys.${name} in the target file.`,
      )
    const wanted = expected[name]
    const seen = {
      read: await replyTo(gateway, 'getSecretsPublicKey', { key: name }),
      write: readOnly
        ? wanted.write
        : await replyTo(gateway, 'storeEncryptedSecrets', { key: name }),
    }
    const told = (reply: Seen) => (typeof reply === 'number' ? `HTTP ${reply}` : reply)
    if (seen.read === wanted.read && seen.write === wanted.write)
      return ok('keys', name, `reads ${told(seen.read)}, writes ${told(seen.write)}`)
    return notOk(
      'missing',
      'keys',
      name,
      `reads ${told(seen.read)}, writes ${told(seen.write)}; expected ${told(wanted.read)} and ${told(wanted.write)}`,
      'Does the key have another permission, or has it expired?',
    )
  }
  const wrong = async (): Promise<Diagnosed> => {
    const key = { value: randomBytes(18).toString('hex'), name: 'NO_KEY' }
    const seen = await replyTo(gateway, 'getSecretsPublicKey', { key })
    return seen === 401
      ? ok('keys', 'no key', 'an unknown key is rejected')
      : notOk('missing', 'keys', 'no key', `an unknown key is ${seen}`, 'Section 7.4 requires 401.')
  }
  const safely = (name: string, run: Promise<Diagnosed>) =>
    run.catch((error) => notOk('missing', 'keys', name, failureText(error)))
  const names = Object.keys(expected) as KeyName[]
  return Promise.all([
    ...names.map((name) => safely(name, examine(name))),
    safely('no key', wrong()),
  ])
}
