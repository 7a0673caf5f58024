import { createHash } from 'node:crypto'
import type { Approve } from '../threshold/opening.ts'
import { checkGrant } from './checkGrant.ts'
import { readGrant } from './grant.ts'
import type { GrantChain } from './grantChain.ts'
import { grantRefused } from './grantRefused.ts'
import { isProvenBySealer } from './sealerProof.ts'

/** A call that was repeated, and another gateway that takes the task over. */
const answersPerOpener = 4
const maxRemembered = 50_000
/** Longer than the operator's node may take for all reads of a grant, milliseconds. */
const timeoutMs = 15_000

/**
 * How a member decides whether it takes part in an opening: by what its own node says about the
 * claimed grant. For one task and envelope it answers each opener a few times at most.
 *
 * @throws ServiceError with the reason for a refusal, from the returned function
 */
export function approveGrants(chain: GrantChain): Approve {
  const answered = new Map<string, number>()

  return async ({ opener, envelope, claim }) => {
    const grant = readGrant(claim)
    await checkGrant(chain, { grant, envelope }, AbortSignal.timeout(timeoutMs))
    if (!isProvenBySealer(envelope))
      throw grantRefused('the envelope has no valid proof of its sealer: seal the data again')
    const asked = [grant.taskId, opener].map((hex) => hex.toLowerCase())
    const key = createHash('sha256')
      .update([...asked, envelope].join(' '))
      .digest('base64')
    const times = answered.get(key) ?? 0
    if (times >= answersPerOpener)
      throw grantRefused(`it has answered ${opener} ${times} times for this task and envelope`)
    answered.set(key, times + 1)
    for (const oldest of answered.keys()) {
      if (answered.size <= maxRemembered) break
      answered.delete(oldest)
    }
    return true
  }
}
