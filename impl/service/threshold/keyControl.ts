import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { RandomBytes } from './group.ts'
import type { GroupKey } from './groupKey.ts'
import { type Epoch, epochsOf, type MemberStatus, readStatuses } from './keyEpochs.ts'
import type { KeyMember } from './keyHolder.ts'
import { recoverShare } from './recoverShare.ts'
import { reshareKey } from './reshareKey.ts'
import { type Member, placeOf, type Roster } from './roster.ts'
import type { RosterRules } from './rosterRules.ts'
import { ThresholdError } from './thresholdError.ts'

/**
 * `uses`: holds a share of the epoch in use · `unsettled`: of an epoch that may still be completed or
 * reverted · `behind`: of an earlier one · `lost`: is in the roster and holds none · `outside`: is not
 * in the roster · `down`: does not answer.
 */
export type OperatorKeyState = 'uses' | 'unsettled' | 'behind' | 'lost' | 'outside' | 'down'

/** The shared key and its holders. */
export type KeyReport = {
  /** X25519, hex; null while there is no key. */
  readonly publicKey: string | null
  readonly epoch: number | null
  readonly needed: number | null
  /** In the order of the configuration. */
  readonly operators: readonly {
    readonly address: Address
    readonly state: OperatorKeyState
    /** Of its share. */
    readonly epoch: number | null
    /** Why it is down. */
    readonly problem: string | null
  }[]
}

/** A roster by addresses; the keys are those of the configuration. */
export type WantedRoster = { readonly needed: number; readonly members: readonly Address[] }

/** Operations on the key; errors are those of `reshareKey` and `recoverShare`. */
export type KeyControl = {
  /** Changes nothing. */
  status(): Promise<KeyReport>
  /** Replaces every share; the roster stays. */
  refresh(): Promise<KeyReport>
  /** Default: the next roster of the configuration. */
  reshare(to?: WantedRoster): Promise<KeyReport>
  recover(address: Address, without?: readonly Address[]): Promise<KeyReport>
}

export type KeyControlOptions = {
  readonly members: readonly KeyMember[]
  readonly rules: RosterRules
  readonly random: RandomBytes
  /** Timeout of one operation, milliseconds. */
  readonly timeoutMs: number
  readonly closing: AbortSignal
  /** Called with the epoch in use after each operation. */
  readonly onKey?: (key: GroupKey) => void
}

/** Runs one operation at a time: they would abandon each other's runs. */
export function keyControl(options: KeyControlOptions): KeyControl {
  const { members, rules, random, timeoutMs, closing, onKey = () => {} } = options
  let busy = false

  async function withSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, release } = linkedSignal(closing, AbortSignal.timeout(timeoutMs))
    try {
      return await work(signal)
    } finally {
      release()
    }
  }

  const status = () =>
    withSignal(async (signal) => {
      const statuses = await readStatuses({ members, rules, random, signal })
      return reportOf(statuses, epochsOf(statuses, rules))
    })

  async function change(work: (signal: AbortSignal) => Promise<Epoch>): Promise<KeyReport> {
    if (busy)
      throw new ThresholdError('state', 'another operation on the key is in progress', {
        hint: 'Wait until it has ended.',
      })
    busy = true
    try {
      onKey((await withSignal(work)).key)
    } finally {
      busy = false
    }
    return status()
  }

  return {
    status,
    refresh: () =>
      change(async (signal) => {
        const lifecycle = { members, rules, random, signal }
        return reshareKey(lifecycle, 'same')
      }),
    reshare: (to) =>
      change((signal) =>
        reshareKey({ members, rules, random, signal }, to === undefined ? undefined : named(to)),
      ),
    recover: (address, without) =>
      change((signal) => recoverShare({ members, rules, random, signal }, address, without)),
  }

  function named({ needed, members: addresses }: WantedRoster): Roster {
    const known: readonly Member[] = [rules.roster, ...(rules.next ? [rules.next] : [])].flatMap(
      (roster) => roster.members,
    )
    const found = addresses.map((address) => {
      const member = known[placeOf({ needed, members: known }, address) - 1]
      if (member !== undefined) return member
      throw new ThresholdError('state', `${address} is not a configured member`, {
        hint: 'Add it to the configuration of threshold.',
      })
    })
    return { needed, members: found }
  }
}

function reportOf(statuses: readonly MemberStatus[], epochs: readonly Epoch[]): KeyReport {
  const current = epochs.find(({ users, roster }) => users.length >= roster.needed) ?? epochs[0]
  const stateOf = ({ member, status }: MemberStatus): OperatorKeyState => {
    if (status === undefined) return 'down'
    if (status.next !== null || (status.state === 'complete' && !status.final)) return 'unsettled'
    if (current === undefined) return 'lost'
    if (status.session === current.certificate.session) return 'uses'
    if (placeOf(current.roster, member.address) === 0) return 'outside'
    return status.state === 'complete' ? 'behind' : 'lost'
  }
  return {
    publicKey: current?.key.publicKey ?? null,
    epoch: current?.key.epoch ?? null,
    needed: current?.roster.needed ?? null,
    operators: statuses.map((one) => ({
      address: one.member.address,
      state: stateOf(one),
      epoch: one.status?.epoch ?? null,
      problem: one.problem ?? null,
    })),
  }
}
