import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { RandomBytes } from './group.ts'
import { type Certificate, type GroupKey, openCertificate } from './groupKey.ts'
import { generationSteps, type HolderStatus, type KeyHolder } from './keyHolder.ts'
import type { Roster } from './roster.ts'
import type { Signed } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

export type CoordinatorOptions = {
  /** In the order of the roster. */
  readonly holders: readonly KeyHolder[]
  /** From the gateway's configuration; certificates of another roster are rejected. */
  readonly roster: Roster
  readonly random: RandomBytes
  readonly signal: AbortSignal
  /** Timeout of an operator's status; one that hangs counts as down. Default 10,000. */
  readonly statusMs?: number
}

export type FoundKey = {
  readonly key: GroupKey
  /** Whether it was created just now. */
  readonly made: boolean
  /** How many operators have reported a share. */
  readonly holders: number
}

/**
 * The key shared by the operators: the existing one, else a new one. An existing key is never
 * replaced. Creating one needs every operator; using one, the threshold.
 *
 * The coordinator only relays messages. It sees no share, and a dishonest one can at most make the
 * run fail (see `keyGeneration`).
 *
 * @throws ThresholdError `state` if too few operators answer or have the key; `dealer` and `run`
 * from a failed run
 */
export async function findOrMakeKey(options: CoordinatorOptions): Promise<FoundKey> {
  const { holders, roster, signal, statusMs = 10_000 } = options
  const { needed } = roster
  const soon = linkedSignal(signal, AbortSignal.timeout(statusMs))
  const asked = await Promise.allSettled(holders.map((holder) => holder.status(soon.signal)))
  soon.release()
  const statuses = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const found = await completeOthers(options, asked)
  if (found !== undefined) {
    if (found.holders >= needed) return found
    throw new ThresholdError(
      'state',
      `${found.holders} of ${needed} needed operators hold a share of the privacy key`,
      { hint: 'Start the operators that are down.' },
    )
  }
  if (statuses.length < holders.length) {
    const missing = holders.flatMap(({ address }, at) =>
      asked[at]?.status === 'rejected' ? [`${address} (${textOf(asked[at].reason)})`] : [],
    )
    throw new ThresholdError('state', `a new key needs every operator; ${missing.join(', ')}`, {
      hint: 'Start the operators that are down.',
    })
  }
  return { key: await makeKey(options), made: true, holders: holders.length }
}

/** Returns the operators' key; operators that missed the end of its run receive the certificate. */
async function completeOthers(
  { holders, roster, signal }: CoordinatorOptions,
  asked: readonly PromiseSettledResult<HolderStatus>[],
): Promise<FoundKey | undefined> {
  const keys = new Map<string, { key: GroupKey; certificate: Certificate; held: number }>()
  for (const one of asked) {
    if (one.status === 'rejected' || one.value.certificate === null) continue
    const { certificate } = one.value
    const known = keys.get(certificate.session)
    if (known !== undefined && sameText(known.certificate, certificate)) known.held += 1
    if (known !== undefined) continue
    const key = readable(certificate, roster)
    if (key !== undefined) keys.set(certificate.session, { key, certificate, held: 1 })
  }
  const [first, ...others] = [...keys.values()].sort((a, b) => b.held - a.held)
  if (first === undefined) return undefined
  if (others.length > 0)
    throw new ThresholdError('state', 'the operators hold shares of different keys', {
      hint: 'Restore the shares of one key from a backup.',
    })
  const session = first.key.session.id
  const completed = await Promise.allSettled(
    asked.map(async (one, at) => {
      if (one.status === 'rejected' || one.value.state !== 'pending') return false
      if (one.value.session !== session) return false
      await holders[at]?.complete(
        { session, confirmations: first.certificate.confirmations },
        signal,
      )
      return true
    }),
  )
  const late = completed.filter((one) => one.status === 'fulfilled' && one.value).length
  return { key: first.key, made: false, holders: first.held + late }
}

/** One run among all operators. */
async function makeKey({ holders, roster, random, signal }: CoordinatorOptions): Promise<GroupKey> {
  const session = Buffer.from(random(32)).toString('hex')
  let messages: readonly Signed[] = []
  for (const step of generationSteps) {
    const previous = messages
    messages = await everyone(holders, step, (holder) =>
      holder.generate({ session, step, messages: previous }, signal),
    )
  }
  const confirmations = messages
  const [status] = await everyone(holders, 'complete', (holder) =>
    holder.complete({ session, confirmations }, signal),
  )
  if (!status?.certificate) throw new ThresholdError('run', 'the run ended without a key')
  return openCertificate(status.certificate, roster)
}

/** All answers; if one fails, the error contains its operator. */
async function everyone<T>(
  holders: readonly KeyHolder[],
  step: string,
  call: (holder: KeyHolder) => Promise<T>,
): Promise<T[]> {
  const settled = await Promise.allSettled(holders.map((holder) => call(holder)))
  return settled.map((one, at) => {
    if (one.status === 'fulfilled') return one.value
    const reason = one.reason instanceof ThresholdError ? one.reason.code : 'run'
    throw new ThresholdError(
      reason,
      `no key was created: ${holders[at]?.address} in step ${step}: ${textOf(one.reason)}`,
      { hint: 'Check the operator in the message, then retry.', cause: one.reason },
    )
  })
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : 'failed')

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** An operator with an invalid certificate counts as one without a share. */
function readable(certificate: Certificate, roster: Roster): GroupKey | undefined {
  try {
    return openCertificate(certificate, roster)
  } catch {
    return undefined
  }
}
