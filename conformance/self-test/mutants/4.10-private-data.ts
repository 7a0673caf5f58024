import type { ConfidentialSource } from 'polgate-chain/confidentialDataRegistry.ts'
import type { IdentityLink } from 'polgate-chain/identityRegistry.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { regoFailed } from 'polgate-service/operators/operatorErrors.ts'
import type { GrantChain } from 'polgate-service/privateData/grantChain.ts'
import { hexOf, subgroupPointOf } from 'polgate-service/threshold/group.ts'
import type { PartialDecryptions } from 'polgate-service/threshold/partial.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { evaluator } from './parts.ts'

/** What operators read about private data, changed. */
const grants =
  (change: (chain: GrantChain, markFired: MarkFired) => Partial<GrantChain>) =>
  (markFired: MarkFired) => ({
    grantChain: (chain: GrantChain): GrantChain => ({ ...chain, ...change(chain, markFired) }),
  })

/** The value of the first call with each key. */
function firstOf<T>() {
  const known = new Map<string, T>()
  return (key: string, value: T): T => {
    const first = known.get(key) ?? value
    known.set(key, first)
    return first
  }
}

/** The member at the first place answers with a point that its share does not result in. */
export const lyingMember = (own: PartialDecryptions): PartialDecryptions => ({
  ...own,
  decrypt(share, enc, random) {
    const partial = own.decrypt(share, enc, random)
    if (partial.place !== 1) return partial
    return { ...partial, point: hexOf(subgroupPointOf(partial.point).double()) }
  },
})

/** Faults in who may have private data opened, and which (section 4.10). */
export const privateDataMutants: readonly Mutant[] = [
  {
    id: 'private.any-user',
    fault: 'opens an identity that is linked to another user of the client',
    clauses: ['4.10-43'],
    parts: grants((chain, markFired) => {
      const seen = new Map<string, readonly IdentityLink[]>()
      return {
        identityLinks: async (of, block) => {
          const own = await chain.identityLinks(of, block)
          if (own.length > 0) seen.set(of.policyClient, own)
          const others = seen.get(of.policyClient) ?? own
          if (own !== others) markFired()
          return others
        },
      }
    }),
  },
  {
    id: 'private.revoked-link',
    fault: 'keeps using a link that was revoked',
    clauses: ['4.10-44'],
    parts: grants((chain, markFired) => {
      const seen = new Map<string, readonly IdentityLink[]>()
      return {
        identityLinks: async (of, block) => {
          const now = await chain.identityLinks(of, block)
          const key = `${of.policyClient} ${of.clientUser}`
          if (now.length > 0) seen.set(key, now)
          const then = seen.get(key) ?? now
          if (now !== then) markFired()
          return then
        },
      }
    }),
  },
  {
    id: 'private.wrong-block',
    fault: 'reads the links at the block of the first task of a client',
    clauses: ['4.10-43'],
    parts: grants((chain, markFired) => {
      const first = firstOf<number>()
      return {
        identityLinks: async (of, block) => {
          const latest = block === 'latest' ? await chain.latestBlock() : block
          const then = first(of.policyClient, latest)
          if (then !== latest) markFired()
          return await chain.identityLinks(of, then)
        },
      }
    }),
  },
  {
    id: 'private.grant-unchecked',
    fault: 'opens confidential data that its provider has not granted',
    clauses: ['4.10-45'],
    parts: grants((chain, markFired) => ({
      confidentialSources: async (client, block) => {
        const sources = await chain.confidentialSources(client, block)
        if (sources.some(({ granted }) => !granted)) markFired()
        return sources.map((source) => ({ ...source, granted: true }))
      },
    })),
  },
  {
    id: 'private.stale-version',
    fault: 'uses the first version of confidential data',
    clauses: ['4.10-45'],
    parts: grants((chain, markFired) => {
      const first = firstOf<string>()
      const stale = (source: ConfidentialSource): ConfidentialSource => {
        if (source.dataRefId === '') return source
        const dataRefId = first(`${source.provider} ${source.domain}`, source.dataRefId)
        if (dataRefId !== source.dataRefId) markFired()
        return { ...source, dataRefId }
      }
      return {
        confidentialSources: async (client, block) =>
          (await chain.confidentialSources(client, block)).map(stale),
      }
    }),
  },
  {
    id: 'private.unverified-partial',
    fault: 'opens with partial decryptions of members without verifying them',
    clauses: ['4.10-43', '4.10-45', '4.10-46'],
    threshold: 3,
    parts: (markFired) => ({
      decryptions: (own) => ({
        ...lyingMember(own),
        provenPoint(key, enc, partial) {
          const proven = own.provenPoint(key, enc, partial)
          if (proven === undefined) markFired()
          return proven ?? subgroupPointOf(partial.point)
        },
      }),
    }),
  },
  {
    id: 'private.plaintext-in-errors',
    fault: 'quotes private data in the error of a policy',
    clauses: ['4.10-47'],
    parts: (markFired) =>
      evaluator(async (evaluation, pass) => {
        const { privateData } = evaluation
        const plaintext = privateData && Buffer.from(privateData).toString()
        return await pass(evaluation).catch((error: unknown) => {
          if (plaintext === undefined || !(error instanceof ServiceError)) throw error
          markFired()
          throw regoFailed(`evaluated over ${plaintext}`)
        })
      }),
  },
  {
    id: 'private.plaintext-in-reasons',
    fault: 'returns private data as the reason of a decision',
    clauses: ['4.10-47'],
    parts: (markFired) =>
      evaluator(async (evaluation, pass) => {
        const { privateData } = evaluation
        const plaintext = privateData && Buffer.from(privateData).toString()
        const outcome = await pass(evaluation)
        if (plaintext === undefined) return outcome
        markFired()
        return { ...outcome, result: JSON.stringify(plaintext) }
      }),
  },
]
