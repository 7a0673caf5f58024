import type { ClientContext } from 'polgate-chain/reads.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OpeningTask } from '../operators/operator.ts'
import type { PrivateUses } from '../operators/privateUses.ts'
import type { SealedDataQueries } from '../store/sealedData.ts'
import type { GrantChain } from './grantChain.ts'
import { userOf } from './grantedTask.ts'

export type PrivateEnvelopesOptions = {
  readonly chain: GrantChain
  readonly store: Pick<SealedDataQueries, 'identity' | 'confidential'>
}

type Asked = {
  readonly task: Pick<OpeningTask, 'policyClient' | 'intent' | 'intentSignature'>
  /** At the task's reference block. */
  readonly client: ClientContext
  readonly uses: PrivateUses
}

/**
 * The uploaded envelopes that a task may need, for the operators, which decide by their own nodes
 * what it does need and may open. An envelope that this gateway does not have is left out.
 *
 * @throws ServiceError if the node does not answer
 */
export const privateEnvelopes =
  ({ chain, store }: PrivateEnvelopesOptions) =>
  async ({ task, client, uses }: Asked): Promise<readonly string[]> => {
    const { policyClient } = task
    const block = client.blockNumber

    async function linked(): Promise<readonly string[]> {
      const clientUser = uses.identity ? await userOf(task, client) : undefined
      if (clientUser === undefined) return []
      const links = await chain.identityLinks({ policyClient, clientUser }, block)
      return links.map(({ dataRefId }) => dataRefId)
    }

    async function published(): Promise<readonly string[]> {
      const { confidential: types } = uses
      if (types !== 'all' && types.length === 0) return []
      const sources = await chain.confidentialSources(policyClient, block)
      return sources
        .filter(({ dataType, granted }) => granted && (types === 'all' || types.includes(dataType)))
        .map(({ dataRefId }) => dataRefId)
    }

    const kept = async (references: readonly string[], kind: 'identity' | 'confidential') =>
      await Promise.all(
        references
          .filter((reference) => reference !== '')
          .map((reference) => store[kind](reference as Bytes32)),
      )
    const [identities, confidential] = await Promise.all([
      linked().then((references) => kept(references, 'identity')),
      published().then((references) => kept(references, 'confidential')),
    ])
    const all = [...identities, ...confidential].flatMap((data) => data?.envelope ?? [])
    return [...new Set(all)]
  }
