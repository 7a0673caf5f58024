import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { MarkFired, Mutant } from './mutant.ts'
import { evaluator } from './parts.ts'
import type { Json } from './wrappedListeners.ts'

/** The service uses another domain than the client's. */
const domainAs =
  (change: (domain: IntentDomain) => IntentDomain | undefined) =>
  (markFired: MarkFired): ServiceParts => ({
    chain: (chain) => {
      const changed = (domain: IntentDomain | undefined) => {
        if (domain === undefined) return undefined
        markFired()
        return change(domain)
      }
      const changedClient = <T extends { readonly signingDomain: IntentDomain | undefined }>(
        client: T,
      ): T => ({ ...client, signingDomain: changed(client.signingDomain) })
      return {
        ...chain,
        signingDomain: async (client) => changed(await chain.signingDomain(client)),
        clientContext: async (client) => changedClient(await chain.clientContext(client)),
        async clientAndOperators(...args) {
          const read = await chain.clientAndOperators(...args)
          return { ...read, client: changedClient(read.client) }
        },
      }
    },
  })

/** The policy gets a changed `input`, with exact numbers. */
const inputAs = (change: (input: Json) => Json | Promise<Json>) => (markFired: MarkFired) =>
  evaluator(async (evaluation, pass) => {
    const input = stringifyExact(await change(parseExact(evaluation.input) as Json))
    if (input !== evaluation.input) markFired()
    return pass({ ...evaluation, input })
  })

const owner = privateKeyToAccount(devPrivateKeys[0])

/**
 * Faults in the values with which a policy verifies an intent's signature (section 5.4, decision
 * R1).
 */
export const intentDigestMutants: readonly Mutant[] = [
  {
    id: 'intent.digest-absent',
    fault: 'does not pass policies the digest of the intent',
    clauses: ['5.4-02'],
    parts: inputAs(({ intent_digest: _, ...input }) => input),
  },
  {
    id: 'intent.digest-null-without-domain',
    fault: 'passes policies a digest of null if no domain can be read',
    clauses: ['5.4-02'],
    parts: inputAs((input) => ({ ...input, intent_digest: input.intent_digest ?? null })),
  },
  {
    id: 'intent.digest-other-domain',
    fault: 'computes the digest for version 2 of every domain',
    clauses: ['5.4-02'],
    parts: domainAs((domain) => ({ ...domain, version: '2' })),
  },
  {
    id: 'intent.digest-chain-one',
    fault: 'computes the digest for chain 1',
    clauses: ['5.4-02'],
    parts: domainAs((domain) => ({ ...domain, chainId: 1n })),
  },
  {
    id: 'intent.digest-without-contract',
    fault: 'computes the digest without the verifying contract',
    clauses: ['5.4-02'],
    parts: domainAs(({ verifyingContract: _, ...domain }) => domain),
  },
  {
    id: 'intent.digest-any-signature',
    fault: 'treats every signature as the owner’s for this intent',
    clauses: ['5.4-02'],
    parts: inputAs(async (input) => {
      if (!input.intent_signature || !input.intent_digest) return input
      const hash = input.intent_digest as Hex
      return { ...input, intent_signature: await owner.sign({ hash }) }
    }),
  },
]
