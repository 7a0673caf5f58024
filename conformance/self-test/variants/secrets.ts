import { ChainReadError } from 'polgate-chain/errors.ts'
import { RawJson } from 'polgate-protocol/exactJson.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { requireOwner } from 'polgate-service/tasks/ownership.ts'
import type { Ownership, TaskChain } from 'polgate-service/tasks/taskChain.ts'
import type { TaskDeps } from 'polgate-service/tasks/taskDeps.ts'
import { zeroAddress } from 'viem'
import { method } from '../mutants/parts.ts'
import { changedMember, type Json } from '../mutants/wrappedListeners.ts'
import {
  asError,
  asResult,
  doesNotOpen,
  isListed,
  knowingChain,
  notUsed,
  objectOf,
} from './secretsParts.ts'
import { composedParts, type Variant } from './variant.ts'

/** Other choices for the upload of secrets, and for addresses without a contract (sections 4.5 to 4.8). */

const unmarked = () => undefined
const store = 'storeEncryptedSecrets'

/** The members of an envelope that the specification shows. */
const shownMembers = ['enc', 'ciphertext', 'policy_client', 'chain_id', 'recipient_pubkey']

/** Uploads that fail for want of a schema are stored, once they have been opened. */
const storing =
  (withoutSchema: (error: string, policyData: string) => boolean) => (): ServiceParts => {
    let secrets: TaskDeps['secrets'] | undefined
    let operator: Operator | undefined
    const emptySchema = 'no schema'
    return {
      taskDeps: (deps) => {
        secrets = deps.secrets
        return deps
      },
      operatorTools: (tools) => ({
        ...tools,
        content: {
          ...tools.content,
          get: async (cid, options) =>
            cid === emptySchema ? Buffer.from('{}') : tools.content.get(cid, options),
        },
      }),
      operator: (own) => {
        operator ??= own
        return own
      },
      ...method(store, async (params, caller, pass) => {
        const result = await pass(params, caller)
        const policyDataAddress = params.policy_data_address.toLowerCase() as Address
        if (result.success || !withoutSchema(result.error ?? '', policyDataAddress)) return result
        const policyClient = params.policy_client.toLowerCase() as Address
        const { envelope } = params
        const request = { policyClient, policyDataAddress, schemaCid: emptySchema, envelope }
        try {
          const { schema } = await operator!.checkSecrets(request, AbortSignal.timeout(10_000))
          await secrets!.put({ policyClient, policyDataAddress }, envelope)
          return { success: true, schema: new RawJson(schema), error: null }
        } catch {
          return result
        }
      }),
    }
  }

/** Reads of a contract that is not there, or is another one. */
const missing =
  (
    read: 'policyData' | 'owner',
    instead: (address: Address) => never | Ownership,
  ): NonNullable<Variant['parts']> =>
  () => ({
    chain: (chain) => {
      const own = chain[read] as (address: Address) => Promise<never>
      const changed = (address: Address) =>
        own(address).catch((error: unknown) => {
          if (!(error instanceof ChainReadError) || error.code === 'unreachable') throw error
          return instead(address)
        })
      return { ...chain, [read]: changed } as TaskChain
    },
  })

export const secretsVariants: readonly Variant[] = [
  {
    id: 'secrets.no-envelope-as-result',
    clauses: ['4.5-14'],
    choice: 'reports a text that is not an envelope as a failed validation of the upload',
    parts: asResult(store, (message) => {
      const details = /: (envelope(\.\w+)? is not .*)/.exec(message)?.[1]
      return details && `Secrets upload validation failed: ${details}`
    }),
  },
  {
    id: 'secrets.unopened-as-error',
    clauses: ['4.5-14'],
    choice: 'reports an envelope that does not open as an error object',
    parts: asError(store, doesNotOpen, errorCode.invalidParams),
  },
  {
    id: 'secrets.two-members',
    clauses: ['4.5-14'],
    choice: 'needs only enc and ciphertext of an envelope',
    parts: knowingChain((chain) => {
      let recipient_pubkey = ''
      const filled = (text: unknown, policy_client: Json) => {
        const members = typeof text === 'string' ? objectOf(text) : undefined
        if (!members?.enc || !members.ciphertext) return text
        const all = { policy_client, chain_id: chain().chainId, recipient_pubkey, ...members }
        return Object.keys(all).length === Object.keys(members).length ? text : JSON.stringify(all)
      }
      return {
        gateway: (deps) => {
          recipient_pubkey = deps.encryptionKeys.secretsPublicKey
          return deps
        },
        ...changedMember(store, 'envelope', (envelope, { policy_client }) =>
          filled(envelope, policy_client),
        )(unmarked),
      }
    }),
  },
  {
    id: 'secrets.closed-envelope',
    clauses: ['4.5-17'],
    choice: 'refuses an envelope with members that it does not know',
    parts: () =>
      method(store, async (params, caller, pass) => {
        const unknown = Object.keys(objectOf(params.envelope) ?? {}).find(
          (name) => !shownMembers.includes(name),
        )
        if (unknown !== undefined) throw invalidFormat(`envelope.${unknown} is unknown`)
        return pass(params, caller)
      }),
  },
  {
    id: 'secrets.without-schema-stored',
    clauses: ['4.5-15'],
    choice: 'stores any secrets for an oracle that declares none',
    parts: storing((error) => /declares no secrets/.test(error)),
  },
  {
    id: 'secrets.without-contract-stored',
    clauses: ['4.5-16'],
    choice: 'stores any secrets for an address without a contract',
    parts: storing(
      (error, policyData) =>
        /^Contract read failed: .*returned no data/.test(error) &&
        error.toLowerCase().includes(policyData),
    ),
  },
  {
    id: 'secrets.stored-for-its-policy',
    // The checks of 2.7-14 upload to an address of their own.
    clauses: ['4.7-09', '2.7-14'],
    choice: 'stores secrets of a client only for a PolicyData that its policy lists',
    parts: knowingChain((chain) =>
      method(store, async (params, caller, pass) => {
        const { policy_client: client, policy_data_address: data } = params
        const owner = await chain()
          .owner(client)
          .catch(() => undefined)
        if (owner === undefined || (await isListed(chain(), client, data)) !== false)
          return pass(params, caller)
        requireOwner(caller, client, owner)
        return { success: false, schema: null, error: notUsed(client, data) }
      }),
    ),
  },
  {
    id: 'secrets.no-policy-data-invalid',
    clauses: ['4.5-16', '4.6-14', '4.8-18'],
    choice: 'refuses the address of something other than a PolicyData as invalid params',
    parts: missing('policyData', (address) => {
      throw invalidFormat(`${address} is not a PolicyData`)
    }),
  },
  {
    id: 'secrets.no-contract-as-error',
    clauses: ['4.5-16', '4.6-14', '4.8-18', '5.2-11'],
    choice: 'reports an address without the right contract as an error object',
    parts: () =>
      composedParts(
        [store, 'simulatePolicyData', 'simulatePolicyDataWithClient', 'simulatePolicy'].map(
          (name) => asError(name, /^Contract read failed: .*no data/, errorCode.contract)(),
        ),
      ),
  },
  {
    id: 'secrets.no-client-ownerless',
    clauses: ['4.5-16', '5.2-11'],
    choice: 'treats an address that is not a policy client as a client without an owner',
    parts: missing('owner', () => ({ owner: zeroAddress, block: 0 })),
  },
]
