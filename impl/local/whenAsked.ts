import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { PolicyDescriber } from 'polgate-service/explorer/policyDescriber.ts'
import type { ExplorerQueries } from 'polgate-service/store/explorer/explorerQueries.ts'

/** Whoever has not asked for policies by then may do so at any time. */
const patienceMs = 10_000

/**
 * Has the contents of policies looked into when somebody first asks for policies, or after a while:
 * to start a compiler for them takes a second of the processor, at the time when a stack starts and
 * most who start one want something else of it.
 */
export function whenAsked(): {
  readonly describer: (describer: PolicyDescriber) => PolicyDescriber
  readonly queries: (queries: ExplorerQueries) => ExplorerQueries
} {
  let ask = () => {}
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  setTimeout(ask, patienceMs).unref()
  return {
    describer: (describer) => ({
      ...describer,
      async describe(info, signal) {
        await unlessAborted(signal, asked)
        return await describer.describe(info, signal)
      },
    }),
    queries: (queries) => ({
      ...queries,
      policy: (chainId, address) => {
        ask()
        return queries.policy(chainId, address)
      },
      policies: (chainId, page) => {
        ask()
        return queries.policies(chainId, page)
      },
    }),
  }
}
