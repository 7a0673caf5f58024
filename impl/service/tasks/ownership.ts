import { setTimeout as pause } from 'node:timers/promises'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { invalidApiKey, ServiceError } from 'polgate-protocol/serviceError.ts'
import type { SecretsScope } from '../store/secrets.ts'
import { usedKeyOf } from '../store/usedKey.ts'
import type { Caller } from './caller.ts'
import type { Ownership } from './taskChain.ts'
import type { TaskDeps } from './taskDeps.ts'

const zeroAddress = /^0x0{40}$/

const unauthorized = (why: string, hint: string) =>
  new ServiceError(`Authorization failed: ${why}`, {
    code: errorCode.authorization,
    clause: 'section 5.2',
    hint,
  })

/**
 * The caller's key must be associated with the current owner on chain (section 5.2).
 *
 * @throws ServiceError -32002 with the messages of section 7.3
 */
export function requireOwner(caller: Caller, policyClient: Address, { owner }: Ownership): void {
  if (zeroAddress.test(owner)) {
    throw unauthorized(
      `policy client ${policyClient} has no owner; ownership cannot be verified`,
      'Deploy the client with an owner.',
    )
  }
  if (!caller.owners.includes(owner.toLowerCase() as Address)) {
    throw unauthorized(
      `policy client ${policyClient} is owned by another user`,
      'Use an API key that is associated with the owner, or transfer the ownership.',
    )
  }
}

/** How long a node may be behind the one that an earlier upload was checked with, milliseconds. */
const lagMs = 3_000
const againMs = 200

/**
 * Stores an envelope for the owner of its client. The owner is read once more immediately before, because
 * validation takes seconds, and the store refuses it where a later block has another owner, whose secrets
 * are stored. Another gateway may have read that block, so a node that is behind gets time to have it.
 *
 * @throws ServiceError -32002; -32001 if the key was deleted or rotated meanwhile
 */
export async function putAsOwner(
  deps: Pick<TaskDeps, 'chain' | 'secrets'>,
  { scope, envelope, caller }: { scope: SecretsScope; envelope: string; caller: Caller },
): Promise<void> {
  const key = usedKeyOf(caller)
  const { chainId } = deps.chain
  for (let waited = 0; ; waited += againMs) {
    const ownership = await deps.chain.owner(scope.policyClient)
    requireOwner(caller, scope.policyClient, ownership)
    const outcome = await deps.secrets.put(scope, envelope, { key, chainId, ...ownership })
    if (outcome === 'stored') return
    if (outcome === 'key-changed') throw invalidApiKey()
    if (waited >= lagMs) {
      throw unauthorized(
        `policy client ${scope.policyClient} is owned by another user at a later block than ${ownership.block}`,
        'Send it again when the node of the gateway has caught up.',
      )
    }
    if (waited > 0) await pause(againMs)
  }
}
