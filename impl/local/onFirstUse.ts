import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { PolicyDescriber } from 'polgate-service/explorer/policyDescriber.ts'
import type { ExplorerQueries } from 'polgate-service/store/explorer/explorerQueries.ts'

/** Delay after which contents are read anyway, milliseconds. */
const patienceMs = 10_000

/**
 * Reads the contents of policies on the first request for policies, or after a delay: starting a
 * compiler for them takes a second of CPU time during startup, when few callers need them.
 */
export function onFirstUse(): {
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
