import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { changedPermissions } from '../mutants/keyFaults.ts'
import { beforeHandler } from '../mutants/parts.ts'
import { answered, asking, wrapListener } from '../mutants/wrappedListeners.ts'
import { composedParts, type Variant } from './variant.ts'

/** Other choices for API keys and the two encryption keys (sections 4.10, 5.1 and 7.4). */

const unmarked = () => undefined

/** Where no privacy key is served, data is sealed to the secrets key. */
function sealedToSecretsKey(): ServiceParts {
  let secretsKey = ''
  return {
    gateway: (deps) => {
      secretsKey = deps.encryptionKeys.secretsPublicKey
      return deps
    },
    sealedDataDeps: (deps) => ({
      ...deps,
      privacyKeys: () => [...deps.privacyKeys(), secretsKey],
    }),
  }
}

/** A method that the gateway does not know. */
const unknown = (method: string) =>
  wrapListener('wrapGatewayFetch', async (asked, pass) => {
    if (asked.method !== method) return pass(asked.request)
    const other = `${asked.call.method}Absent`
    const response = await pass(
      asking(asked.request, JSON.stringify({ ...asked.call, method: other })),
    )
    return answered(response, (await response.text()).replaceAll(other, asked.call.method))
  })

/** The body of refusals of a key, with the message of section 7.3 in it. */
const refusals = (type: string, body: (message: string) => string) =>
  wrapListener('wrapGatewayFetch', async ({ request }, pass) => {
    const response = await pass(request)
    if (response.status !== 401 && response.status !== 403) return response
    const text = await response.clone().text()
    const message = /Invalid API key|Rpc(Read|Write) permission required/.exec(text)?.[0]
    if (message === undefined) return response
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    headers.set('content-type', type)
    return new Response(body(message), { status: response.status, headers })
  })

export const keyVariants: readonly Variant[] = [
  {
    id: 'key.no-privacy-key',
    // The checks of the permissions call every method.
    clauses: ['4.10-07', '5.1-02', '5.1-03'],
    choice: 'does not know getPrivacyPublicKey: its secrets key is for all data',
    parts: () => composedParts([sealedToSecretsKey(), unknown('getPrivacyPublicKey')()]),
  },
  {
    id: 'key.no-privacy-key-yet',
    clauses: ['4.10-07', '5.1-02', '5.1-03'],
    choice: 'has no privacy key yet, and says so with an error code of its own',
    parts: () =>
      composedParts([
        sealedToSecretsKey(),
        beforeHandler('getPrivacyPublicKey', () => {
          throw new ServiceError('The privacy key is not available yet', {
            code: -32010,
            clause: 'section 4.10',
            hint: 'Seal to the secrets key.',
          })
        }),
      ]),
  },
  {
    id: 'key.privacy-is-secrets',
    clauses: ['4.10-07'],
    choice: 'has one key for secrets and for other sealed data',
    config: (config) => {
      const { keys } = config
      return keys === undefined ? config : { ...config, keys: { ...keys, privacy: keys.secrets } }
    },
  },
  {
    id: 'key.scheme-exact',
    clauses: ['5.1-05'],
    choice: 'knows the scheme only as Bearer',
    parts: wrapListener('wrapGatewayFetch', async ({ request }, pass) => {
      const given = request.headers.get('authorization') ?? ''
      if (!/^bearer /i.test(given) || given.startsWith('Bearer ')) return pass(request)
      const headers = new Headers(request.headers)
      headers.delete('authorization')
      return pass(new Request(request, { headers }))
    }),
  },
  {
    id: 'key.admin-may-all',
    clauses: ['5.1-10'],
    choice: 'lets a key with the permission admin call every method',
    parts: () =>
      changedPermissions((held) => (held.includes('admin') ? [...held, 'rpc'] : held))(unmarked),
  },
  {
    id: 'key.refused-as-text',
    clauses: ['7.4-08'],
    choice: 'refuses keys with a body of plain text',
    parts: refusals('text/plain; charset=utf-8', (message) => `${message}\n`),
  },
  {
    id: 'key.refused-as-own-json',
    clauses: ['7.4-08'],
    choice: 'refuses keys with JSON that is not JSON-RPC',
    parts: refusals('application/problem+json', (detail) => JSON.stringify({ error: detail })),
  },
]
