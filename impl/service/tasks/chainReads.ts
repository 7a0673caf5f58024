import { ChainReadError } from 'polgate-chain/errors.ts'
import { createKeyedSemaphore } from 'polgate-lib/async/keyedSemaphore.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { TaskChain } from './taskChain.ts'

/** The chain with bounded concurrency: a node may accept connections and never answer. */
export type ChainReads = {
  /** The chain for one unit of work: its pending reads reject when the signal aborts. */
  within(signal: AbortSignal): TaskChain
  /** Reads that the node has not answered, including those whose callers have aborted. */
  readonly underWay: number
}

/** An aborted read holds its slot until the client's own timeout. */
const limits = { parallel: 64, waiting: 2_000 }

export function createChainReads(chain: TaskChain): ChainReads {
  const slots = createKeyedSemaphore({ total: limits.parallel })

  async function read<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    if (slots.waiting >= limits.waiting) {
      throw new ChainReadError('unreachable', 'too many reads are waiting for the node', {
        hint: 'Check that the node answers.',
      })
    }
    const release = await slots.take('', signal)
    const answer = ask().finally(release)
    return await unlessAborted(signal, answer)
  }

  return {
    within(signal) {
      const bound =
        <Args extends readonly unknown[], T>(ask: (...args: Args) => Promise<T>) =>
        (...args: Args) =>
          read(signal, () => ask(...args))
      return {
        ...chain,
        clientAndOperators: bound(chain.clientAndOperators),
        clientContext: bound(chain.clientContext),
        operatorSet: bound(chain.operatorSet),
        latestBlock: bound(chain.latestBlock),
        policyData: bound(chain.policyData),
        owner: bound(chain.owner),
        signingDomain: bound(chain.signingDomain),
        configuredPolicy: bound(chain.configuredPolicy),
        spendRefusals: bound(chain.spendRefusals),
      }
    },
    get underWay() {
      return slots.taken
    },
  }
}
