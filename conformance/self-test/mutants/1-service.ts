import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { ClientContext } from 'polgate-chain/reads.ts'
import type { Target } from 'polgate-conformance/core/target.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { answered, changedAnswer, type Json, wrapListener } from './wrappedListeners.ts'

/** Replaces the chain data of one policy client with that of another. */
const clientRead = (
  fault: (
    client: ClientContext,
    ofClient: (name: Address) => Promise<ClientContext>,
  ) => Promise<ClientContext>,
): ServiceParts => ({
  chain: (chain) => ({
    ...chain,
    clientContext: async (address) =>
      fault(await chain.clientContext(address), chain.clientContext),
    clientAndOperators: async (...given) => {
      const read = await chain.clientAndOperators(...given)
      return { ...read, client: await fault(read.client, chain.clientContext) }
    },
  }),
})

/** A fault that confuses two clients of the stack. */
function mixedUp(
  rest: Omit<Mutant, 'parts' | 'around'>,
  mix: (own: ClientContext, other: ClientContext) => ClientContext,
): Mutant {
  let clients: Target['clients'] = {}
  return {
    ...rest,
    around: async (target) => {
      clients = target.clients
      return { target, close: async () => {} }
    },
    parts: (markFired: MarkFired) =>
      clientRead(async (own, read) => {
        const [simple, cap] = [clients['allow-list'], clients.cap]
        if (simple === undefined || cap === undefined) return own
        if (own.policyId.toLowerCase() !== simple.policyId.toLowerCase()) return own
        markFired()
        return mix(own, await read(cap.policyClient))
      }),
  }
}

const shifted = (operatorSet: OperatorSet): OperatorSet => ({
  ...operatorSet,
  quorums: operatorSet.quorums.map((quorum) => ({ ...quorum, apkIndex: quorum.apkIndex + 1 })),
})

/** Faults of the service as a whole (section 1). */
export const serviceMutants: readonly Mutant[] = [
  mixedUp(
    {
      id: 'rego.policy-of-another-client',
      fault: 'evaluates the policy of another client',
      clauses: ['1-01'],
    },
    (own, other) => ({ ...own, policyCid: other.policyCid, entrypoint: other.entrypoint }),
  ),
  mixedUp(
    {
      id: 'rego.params-of-another-client',
      fault: 'evaluates with the parameters of another client',
      clauses: ['1-02'],
    },
    (own, other) => ({
      ...own,
      policyConfig: { ...own.policyConfig, policyParams: other.policyConfig.policyParams },
      schemaCid: '',
    }),
  ),
  {
    id: 'service.one-signature-for-all',
    fault: 'returns the signature of one operator instead of the aggregate',
    clauses: ['1-04'],
    parts: (markFired) => {
      let signature: unknown
      return {
        operator: (operator) => ({
          ...operator,
          sign: async (request, signal) => {
            const answer = await operator.sign(request, signal)
            signature = answer.signature
            return answer
          },
        }),
        ...changedAnswer('createTask', (answer: Json) => {
          const evidence = answer.result?.aggregation_response?.non_signer_stakes_and_signature
          if (evidence !== undefined && signature !== undefined) evidence.sigma = signature
          return answer
        })(markFired),
      }
    },
  },
  {
    id: 'service.digest-of-nothing',
    fault: 'returns another digest than the signed one',
    clauses: ['1-04', '2.5-04'],
    parts: changedAnswer('createTask', (answer: Json) => {
      const response = answer.result?.aggregation_response
      if (response) response.task_response_digest = `0x${'00'.repeat(32)}`
      return answer
    }),
  },
  {
    id: 'service.unverifiable-on-chain',
    fault: 'numbers the history entries of its quorum one too high, so that no contract finds them',
    clauses: ['1-05'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        clientAndOperators: async (...given) => {
          const read = await chain.clientAndOperators(...given)
          markFired()
          return { ...read, operatorSet: shifted(read.operatorSet) }
        },
        operatorSet: async (...given) => shifted(await chain.operatorSet(...given)),
      }),
    }),
  },
  {
    id: 'service.json-rpc-1',
    fault: 'answers as JSON-RPC 1.0 does, without the member jsonrpc',
    clauses: ['1-06'],
    parts: changedAnswer('*', ({ jsonrpc: _, ...answer }: Json) => answer),
  },
  {
    id: 'service.explorer-without-policies',
    fault: 'serves tasks in its explorer but no policies',
    clauses: ['1-09'],
    parts: (markFired) =>
      wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
        const response = await pass(request)
        if (!/^\/v1\/policy\/?/.test(new URL(request.url).pathname)) return response
        markFired()
        return answered(response, '{"detail":"Not Found"}', 404)
      })(),
  },
]
