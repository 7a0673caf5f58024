import { base, type Point, sameInSubgroup, scalarOf, zero } from './group.ts'
import { type Commitments, committedValueAt } from './polynomial.ts'
import type { Roster } from './roster.ts'
import { ThresholdError } from './thresholdError.ts'

/** Whether a share is the value at `place` of the committed polynomial. */
export function shareFits(share: bigint, commitments: Commitments, place: number): boolean {
  const image: Point = share === 0n ? zero : base.multiply(share)
  return sameInSubgroup(image, committedValueAt(commitments, place))
}

export type Complaints = {
  /** The dealers in the order of their commitments, and how many of them have to be left. */
  readonly roster: Roster
  /** From how many complaints on a dealer is excluded: as many as shares determine it. */
  readonly limit?: number
  /** Commitments by dealer. */
  readonly dealt: readonly Commitments[]
  /** Indexes of the accused, by complainer. */
  readonly complaints: readonly (readonly number[])[]
  /** The shares revealed by each dealer. */
  readonly answers: readonly (readonly { readonly place: number; readonly share: string }[])[]
  /** The member whose shares are returned. */
  readonly place: number
}

/**
 * Determines the qualified dealers from what all members have seen: a dealer stays if it answers
 * each complaint with a valid share and has fewer than `limit` complaints. With `limit`
 * complaints, at least one is honest, and the revealed shares would determine the dealer's
 * polynomial.
 *
 * @returns indexes of the qualified dealers, and the revealed shares for `place`
 * @throws ThresholdError `dealer` with the excluded ones, if so few are left that all may be
 * dishonest
 */
export function settleComplaints(options: Complaints): {
  readonly qualified: readonly number[]
  readonly revealed: ReadonlyMap<number, bigint>
} {
  const { roster, dealt, complaints, answers, place, limit = roster.needed } = options
  const revealed = new Map<number, bigint>()
  const qualified: number[] = []
  const excluded: number[] = []
  dealt.forEach((commitments, at) => {
    const dealer = at + 1
    const complainers = complaints.flatMap((dealers, by) =>
      dealers.includes(dealer) ? [by + 1] : [],
    )
    const stands =
      complainers.length < limit &&
      complainers.every((complainer) => {
        const shown = answers[at]?.find((each) => each.place === complainer)
        const share = shown === undefined ? undefined : readScalar(shown.share)
        if (share === undefined || !shareFits(share, commitments, complainer)) return false
        if (complainer === place) revealed.set(dealer, share)
        return true
      })
    ;(stands ? qualified : excluded).push(dealer)
  })
  if (qualified.length < roster.needed) {
    const names = excluded.map((dealer) => roster.members[dealer - 1]?.address).join(', ')
    throw new ThresholdError('dealer', `wrong shares from ${names}; too few dealers are left`, {
      hint: 'Check these operators, then retry.',
    })
  }
  return { qualified, revealed }
}

function readScalar(hex: string): bigint | undefined {
  try {
    return scalarOf(hex)
  } catch {
    return undefined
  }
}
