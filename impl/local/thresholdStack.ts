import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { identityOf, type Member } from 'polgate-service/threshold/roster.ts'
import { devOperators } from './devKeys.ts'

/** The development operators as members of the threshold group. */
export const devMembers = (): Member[] =>
  devOperators.map(({ address, thresholdKey }) => ({
    address,
    publicKey: identityOf(address, thresholdKey).publicKey,
  }))

/**
 * Threshold mode of a local stack. Shares are stored in the data directory, or in a temporary
 * directory without one; the key may be reshared among
 * any of them.
 */
export async function thresholdConfig(
  {
    dataDir,
    threshold: needed,
  }: {
    readonly dataDir?: string | undefined
    readonly threshold?: number | undefined
  },
  cleanup: CleanupStack,
): Promise<ServiceConfigInput['threshold']> {
  if (needed === undefined) return undefined
  let directory: string
  if (dataDir === undefined) {
    directory = await mkdtemp(join(tmpdir(), 'svc-shares-'))
    cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  } else {
    directory = join(dataDir, 'shares')
  }
  return { needed, directory, resharing: 'members' }
}
