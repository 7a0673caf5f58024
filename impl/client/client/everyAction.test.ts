import fc from 'fast-check'
import { createWalletClient, custom, type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { ClientError } from '../errors/clientError.ts'
import { createExplorerClient } from '../explorer/createExplorerClient.ts'
import { createIntent } from '../intents/createIntent.ts'
import type { Fetch } from './connection.ts'
import { createServiceClient } from './createServiceClient.ts'

const address: Hex = `0x${'11'.repeat(20)}`
const word: Hex = `0x${'22'.repeat(32)}`
const intent = createIntent({ from: address, to: address, chainId: 5 })
const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const task = { policy_client: address, intent }
const plaintext = new TextEncoder().encode('{"entries":[]}')

/** A chain that answers as told. */
type Chain = () => Promise<unknown>

/** Valid parameters of each action of the gateway's client. */
function parametersOf(chain: Chain) {
  const transport = custom({ request: chain }, { retryCount: 0 })
  const walletClient = createWalletClient({ account, transport })
  const publicClient = walletClient
  const registries = { identityRegistry: address, confidentialDataRegistry: address }
  return {
    createTask: task,
    sendTask: task,
    simulateTask: task,
    simulatePolicy: { ...task, policy: 'package policy', policy_data: [] },
    simulatePolicyData: { policy_data_address: address, chain_id: 5 },
    simulatePolicyDataWithClient: { policy_data_address: address, policy_client: address },
    storeEncryptedSecrets: { policy_client: address, policy_data_address: address, envelope: '{}' },
    registerWebhook: { url: 'https://hooks.example' },
    unregisterWebhook: {},
    getSecretsPublicKey: {},
    getPrivacyPublicKey: {},
    uploadIdentityEncrypted: {
      ...{ identity_owner: address, identity_owner_sig: '0x', envelope: '{}' },
      ...{ identity_domain: word, chain_id: 5 },
    },
    getIdentityEncrypted: { data_ref_id: word },
    uploadConfidentialData: { provider: address, domain: word, envelope: '{}', chain_id: 5 },
    getConfidentialData: { data_ref_id: word },
    watchTask: { taskId: word },
    waitForTask: { taskId: word },
    runTask: task,
    sealSecrets: { policyClient: address, secrets: { A: 'b' } },
    storeSecrets: { policyClient: address, policyDataAddress: address, secrets: { A: 'b' } },
    uploadConfidential: { provider: address, domain: word, plaintext },
    uploadIdentity: { account, identityDomain: word, plaintext, ...registries, publicClient },
    registerIdentity: {
      walletClient,
      identityDomain: word,
      plaintext,
      ...registries,
      publicClient,
    },
    signIdentityLink: {
      ...{ account, ...registries, identityOwner: address, policyClient: address },
      ...{ clientUser: address, identityDomains: [word], publicClient },
    },
    identityLinks: { ...registries, policyClient: address, clientUser: address, publicClient },
    publishConfidentialData: { walletClient, ...registries, domain: word, plaintext },
    confidentialSources: { ...registries, policyClient: address, publicClient },
    sealEphemeral: { policyClient: address, data: { a: {} } },
    signIntent: { intent, policyClient: address, account, publicClient },
    hashIntent: { intent, policyClient: address, publicClient },
  }
}

/** They call no gateway. */
const withoutOptions = [
  'signIdentityLink',
  'identityLinks',
  'confidentialSources',
  'signIntent',
  'hashIntent',
]
/** Of the WebSocket, which its own tests disturb. */
const following = ['watchTask', 'waitForTask', 'runTask']

const rows = { policyId: word, policyAddress: address, address, taskId: word }
const explorerParameters = {
  getTask: rows,
  listTasks: {},
  iterateTasks: {},
  getPolicy: rows,
  listPolicies: {},
  iteratePolicies: {},
  listTasksOfPolicyId: rows,
  iterateTasksOfPolicyId: rows,
  listTasksOfPolicyAddress: rows,
  iterateTasksOfPolicyAddress: rows,
  getStats: { taskWindowStart: new Date(0) },
  findTasks: { policyClient: address, intent, since: new Date(0) },
  waitForExplorerTask: rows,
}

const connection = { url: 'https://gateway.example', key: 'k', retries: 0, chain: { id: 5 } }
const notAsked: Fetch = () => Promise.reject(new Error('asked'))

const ownNames = (client: object, parameters: object) =>
  Object.entries(client)
    .filter(
      ([name, value]) =>
        typeof value === 'function' && !['getKey', 'fetch', 'request'].includes(name),
    )
    .map(([name]) => expect(Object.keys(parameters)).toContain(name))

/** What an action throws, as a call or while it is iterated; undefined for a result. */
async function thrownBy(client: object, name: string, ...given: unknown[]): Promise<unknown> {
  try {
    const action = (client as Record<string, (...given: unknown[]) => unknown>)[name]!
    const result = action(...given)
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
      for await (const _ of result as AsyncIterable<unknown>) break
    else await result
    return undefined
  } catch (error) {
    return error
  }
}

const nobody: Chain = () => Promise.reject(new Error('the chain was asked'))
const all = [
  ...Object.entries(parametersOf(nobody)).map(([name, given]) => ['gateway', name, given] as const),
  ...Object.entries(explorerParameters).map(([name, given]) => ['explorer', name, given] as const),
]
const clientOf = (kind: 'gateway' | 'explorer', fetch: Fetch) =>
  kind === 'gateway'
    ? createServiceClient({ ...connection, fetch })
    : createExplorerClient({ ...connection, fetch })

describe('every action', () => {
  it('is known here', () => {
    ownNames(clientOf('gateway', notAsked), parametersOf(nobody))
    ownNames(clientOf('explorer', notAsked), explorerParameters)
  })

  it.each(all.filter(([, name]) => !withoutOptions.includes(name)))(
    'of the %s takes its signal last, and throws an AbortError: %s',
    async (kind, name, given) => {
      const reason = new Error('enough')
      const signal = AbortSignal.abort(reason)
      const chain = parametersOf(async () => toHex(0, { size: 32 }))
      const parameters = kind === 'gateway' ? chain[name as keyof typeof chain] : given
      const error = await thrownBy(clientOf(kind, notAsked), name, parameters, { signal })
      expect(error).toBeInstanceOf(ClientError)
      expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: reason })
    },
  )

  const answer = fc.record({
    status: fc.constantFrom(200, 200, 200, 302, 400, 401, 403, 404, 413, 422, 429, 500, 503),
    body: fc.oneof(
      fc.jsonValue({ maxDepth: 3 }).map((result) => ({ result })),
      fc.jsonValue({ maxDepth: 3 }).map((error) => ({ error })),
      fc.record({
        result: fc.record({ public_key: fc.oneof(fc.constant('00'.repeat(32)), fc.string()) }),
      }),
      fc.record({ error: fc.record({ code: fc.integer(), message: fc.string() }) }),
      fc.jsonValue({ maxDepth: 3 }),
      fc.record({ detail: fc.string() }),
    ),
    read: fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((bytes) => toHex(bytes)),
      fc.constant(undefined),
      fc.jsonValue({ maxDepth: 1 }),
    ),
  })

  it.each(all.filter(([, name]) => !following.includes(name)))(
    'of the %s throws errors of the SDK alone, whatever it is told: %s',
    async (kind, name, given) => {
      await fc.assert(
        fc.asyncProperty(answer, async ({ status, body, read }) => {
          const fetch: Fetch = async (_, init) => {
            const { id } = JSON.parse(String(init.body ?? '{}'))
            const told = typeof body === 'object' && body !== null && !Array.isArray(body)
            const text = JSON.stringify(told ? { jsonrpc: '2.0', id, ...body } : body)
            return new Response(text, { status })
          }
          const chain = parametersOf(async () => {
            if (read === undefined) throw new Error('the node is gone')
            return read
          })
          const parameters = kind === 'gateway' ? chain[name as keyof typeof chain] : given
          const options = name === 'waitForExplorerTask' ? { timeoutMs: 5 } : {}
          const error = await thrownBy(clientOf(kind, fetch), name, parameters, options)
          if (error !== undefined && !(error instanceof ClientError)) throw error
        }),
        { numRuns: 300 },
      )
    },
    60_000,
  )
})
