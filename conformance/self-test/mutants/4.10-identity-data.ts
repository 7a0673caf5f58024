import { sha3_256 } from '@noble/hashes/sha3.js'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { keccak256, stringToBytes, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { needingToo, unchecked } from './keyFaults.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { changedAnswer, changedResult } from './wrappedListeners.ts'

const upload = 'uploadIdentityEncrypted'
const get = 'getIdentityEncrypted'

type Deps = Parameters<NonNullable<ServiceParts['sealedDataDeps']>>[0]

const deps =
  (change: (deps: Deps, markFired: MarkFired) => Partial<Deps>) =>
  (markFired: MarkFired): ServiceParts => ({
    sealedDataDeps: (given) => ({ ...given, ...change(given, markFired) }),
  })

const somebody = privateKeyToAccount(`0x${'5e'.repeat(32)}`)
const nothing = `0x${'00'.repeat(32)}`

function recipientIn(envelope: string): string | undefined {
  try {
    return String(JSON.parse(envelope).recipient_pubkey).toLowerCase()
  } catch {
    return undefined
  }
}

/** Treats the recipient of any upload as a privacy key. */
function anyRecipient(markFired: MarkFired): ServiceParts {
  let recipient = ''
  return {
    gateway: (given) => {
      const remember = ({ envelope }: { readonly envelope: string }) => {
        recipient = recipientIn(envelope) ?? recipient
      }
      const { sealedData } = given
      return {
        ...given,
        sealedData: {
          ...sealedData,
          uploadIdentity: (params, caller) => {
            remember(params)
            return sealedData.uploadIdentity(params, caller)
          },
          uploadConfidential: (params, caller) => {
            remember(params)
            return sealedData.uploadConfidential(params, caller)
          },
        },
      }
    },
    sealedDataDeps: (given) => ({
      ...given,
      privacyKeys: () => {
        const keys = given.privacyKeys()
        if (!keys.includes(recipient)) markFired()
        return [...keys, recipient]
      },
    }),
  }
}

/** Faults in uploads and reads of identity data (section 4.10). */
export const identityMutants: readonly Mutant[] = [
  {
    id: 'identity.upload-needs-read-too',
    fault: 'requires RpcRead in addition to RpcWrite for an identity upload',
    clauses: ['4.10-08'],
    parts: needingToo([upload], 'RpcRead'),
  },
  {
    id: 'identity.owner-unchecked',
    fault: 'accepts an upload without a valid identity_owner',
    clauses: ['4.10-09'],
    parts: unchecked(upload, 'identity_owner'),
  },
  {
    id: 'identity.signature-of-any-type',
    fault: 'accepts an upload without a string as identity_owner_sig',
    clauses: ['4.10-10'],
    parts: unchecked(upload, 'identity_owner_sig'),
  },
  {
    id: 'identity.envelope-of-any-type',
    fault: 'accepts an upload without a string as envelope',
    clauses: ['4.10-11'],
    parts: unchecked(upload, 'envelope'),
  },
  {
    id: 'sealed.to-any-key',
    fault: 'stores data that is sealed to an unknown key',
    clauses: ['4.10-41'],
    parts: anyRecipient,
  },
  {
    id: 'identity.domain-unchecked',
    fault: 'accepts an upload without 32 bytes as identity_domain',
    clauses: ['4.10-12'],
    parts: unchecked(upload, 'identity_domain'),
  },
  {
    id: 'identity.chain-unchecked',
    fault: 'uses the chain of the gateway if chain_id is invalid',
    clauses: ['4.10-13'],
    parts: unchecked(upload, 'chain_id'),
  },
  {
    id: 'identity.owner-signature-unchecked',
    fault: 'accepts every signature as that of the owner',
    clauses: ['4.10-14', '4.10-21'],
    parts: deps(({ chain }, markFired) => ({
      chain: {
        ...chain,
        isContractSignature: async () => {
          markFired()
          return true
        },
      },
    })),
  },
  {
    id: 'identity.signature-of-anybody',
    fault: 'checks that there is a valid signature, but not whose',
    clauses: ['4.10-14'],
    parts: deps(({ chain }, markFired) => ({
      chain: {
        ...chain,
        isContractSignature: async ({ signature }) => {
          const some = signature.length === 132 && BigInt(signature) !== 0n
          if (some) markFired()
          return some
        },
      },
    })),
  },
  {
    id: 'identity.empty-signature-accepted',
    fault: 'checks the owner’s signature only if there is one',
    clauses: ['4.10-14'],
    parts: deps(({ chain }, markFired) => ({
      chain: {
        ...chain,
        isContractSignature: async (claim) => {
          if (claim.signature !== '0x') return chain.isContractSignature(claim)
          markFired()
          return true
        },
      },
    })),
  },
  {
    id: 'identity.reference-of-rewritten-json',
    fault: 'hashes the envelope’s JSON after reserializing it',
    clauses: ['4.10-15'],
    parts: changedResult(upload, (result, { call }) => ({
      ...result,
      data_ref_id: keccak256(stringToBytes(JSON.stringify(JSON.parse(call.params.envelope)))),
    })),
  },
  {
    id: 'identity.reference-is-sha3',
    fault: 'hashes with SHA3-256, which is not keccak-256',
    clauses: ['4.10-15'],
    parts: changedResult(upload, (result, { call }) => ({
      ...result,
      data_ref_id: toHex(sha3_256(stringToBytes(call.params.envelope))),
    })),
  },
  {
    id: 'identity.reference-left-out',
    fault: 'returns no data_ref_id for an upload',
    clauses: ['4.10-15'],
    parts: changedResult(upload, ({ data_ref_id: _, ...result }) => result),
  },
  {
    id: 'identity.reference-of-31-bytes',
    fault: 'returns a data_ref_id without its last byte',
    clauses: ['4.10-15'],
    parts: changedResult(upload, (result) => ({
      ...result,
      data_ref_id: result.data_ref_id.slice(0, -2),
    })),
  },
  {
    id: 'identity.gateway-signature-left-out',
    fault: 'returns no gateway_signature for an upload',
    clauses: ['4.10-16'],
    parts: changedResult(upload, ({ gateway_signature: _, ...result }) => result),
  },
  {
    id: 'identity.registration-by-another-account',
    fault: 'signs registrations with an account that is not registered',
    clauses: ['4.10-16'],
    parts: deps((_, markFired) => ({
      signer: {
        signTypedData: (message) => {
          markFired()
          return somebody.signTypedData(message)
        },
      },
    })),
  },
  {
    id: 'identity.registration-of-another-deadline',
    fault: 'signs the time of the response instead of the deadline',
    clauses: ['4.10-16'],
    parts: deps(({ signer }, markFired) => ({
      signer: {
        signTypedData: (typed) => {
          markFired()
          const message = {
            ...Object(typed.message),
            deadline: BigInt(Math.floor(Date.now() / 1000)),
          }
          return signer.signTypedData({ ...typed, message } as typeof typed)
        },
      },
    })),
  },
  {
    id: 'identity.registration-without-chain',
    fault: 'omits the chain from the signing domain of registrations',
    clauses: ['4.10-16'],
    parts: deps(({ signer }, markFired) => ({
      signer: {
        signTypedData: (typed) => {
          markFired()
          const domain = { ...Object(typed.domain), chainId: undefined }
          return signer.signTypedData({ ...typed, domain } as typeof typed)
        },
      },
    })),
  },
  {
    id: 'identity.deadline-in-ms',
    fault: 'returns the deadline in milliseconds',
    clauses: ['4.10-17'],
    parts: changedResult(upload, (result) => ({ ...result, deadline: result.deadline * 1000 })),
  },
  {
    id: 'identity.deadline-past',
    fault: 'returns the time of the upload as the deadline',
    clauses: ['4.10-17'],
    parts: deps(({ chain }, markFired) => ({
      chain: {
        ...chain,
        now: async () => {
          markFired()
          return (await chain.now()) - 330
        },
      },
    })),
  },
  {
    id: 'identity.deadline-by-machine-clock',
    fault: 'computes the deadline of a registration from the clock of its machine',
    clauses: ['4.10-17'],
    parts: deps(({ chain }, markFired) => ({
      chain: {
        ...chain,
        now: async () => {
          markFired()
          return Math.floor(Date.now() / 1000)
        },
      },
    })),
  },
  {
    id: 'identity.read-needs-write',
    fault: 'requires RpcWrite to read identity data',
    clauses: ['4.10-18'],
    parts: needingToo([get], 'RpcWrite'),
  },
  {
    id: 'identity.reference-unchecked',
    fault: 'returns the last data if data_ref_id is not a string',
    clauses: ['4.10-19'],
    parts: unchecked(get, 'data_ref_id'),
  },
  {
    id: 'identity.envelope-parsed',
    fault: 'returns the envelope as an object',
    clauses: ['4.10-20'],
    parts: changedResult(get, (result) => ({ ...result, envelope: JSON.parse(result.envelope) })),
  },
  {
    id: 'identity.envelope-rewritten',
    fault: 'returns the envelope’s JSON after reserializing it',
    clauses: ['4.10-20'],
    parts: changedResult(get, (result) => ({
      ...result,
      envelope: JSON.stringify(JSON.parse(result.envelope)),
    })),
  },
  {
    id: 'identity.no-domain',
    fault: 'returns neither domain nor owner with the envelope',
    clauses: ['4.10-20'],
    parts: changedResult(get, ({ envelope }) => ({ envelope })),
  },
  {
    id: 'identity.owner-is-gateway',
    fault: 'returns the uploader as owner',
    clauses: ['4.10-20'],
    parts: changedResult(get, (result) => ({ ...result, identity_owner: somebody.address })),
  },
  {
    id: 'identity.unknown-is-empty',
    fault: 'answers an unknown reference with empty members',
    clauses: ['4.10-21'],
    parts: changedAnswer(get, (answer) =>
      /unknown|no identity/i.test(answer.error?.message ?? '')
        ? {
            jsonrpc: answer.jsonrpc,
            result: { envelope: '', identity_domain: nothing, identity_owner: nothing },
            id: answer.id,
          }
        : answer,
    ),
  },
]
