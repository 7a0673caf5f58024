import { checks } from 'polgate-conformance/checks/catalogue.ts'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import { runChecks } from 'polgate-conformance/runner/runChecks.ts'
import { createSession } from 'polgate-conformance/runner/session.ts'
import {
  type NullServer,
  type nullServers,
  overclaimingTarget,
  startNullServer,
} from './nullTargets.ts'

/** Every check against a server that does nothing right: what passes there proves nothing. */
export async function nullFloor(name: keyof typeof nullServers): Promise<readonly CheckFinished[]> {
  const server: NullServer = await startNullServer(name)
  try {
    const target = overclaimingTarget(server.url)
    const seed = '0x00000001'
    const session = createSession({ target, seed, effort: 0.1, missing: {} })
    return await runChecks(checks, session, { concurrency: 16 })
  } finally {
    await server.close()
  }
}
