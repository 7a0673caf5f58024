import { createChainClient } from 'polgate-chain/client.ts'
import { type OperatorSet, readOperatorSet } from 'polgate-chain/operatorSet.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { defaultQuorum, parseQuorumNumbers } from 'polgate-service/tasks/quorumNumbers.ts'

/** Of each request to the node, milliseconds: who asks for the operators does not wait for it long. */
const timeout = 1_500

/** Reads the operators of the default quorum, as tasks do. The function throws ChainReadError. */
export function registeredOperators(
  rpcUrl: string,
  operatorRegistry: Address,
): () => Promise<OperatorSet> {
  const client = createChainClient({ rpcUrl, timeout })
  const { numbers: quorumNumbers } = parseQuorumNumbers(defaultQuorum.numbers)
  return async () => {
    const blockNumber = Number(await client.getBlockNumber())
    return await readOperatorSet({ client, operatorRegistry, quorumNumbers, blockNumber })
  }
}
