import { base, type Point, sameInSubgroup, scalarOf, zero } from './group.ts'
import { type Commitments, committedValueAt } from './polynomial.ts'
import type { Roster } from './roster.ts'
import { ThresholdError } from './thresholdError.ts'

/** Whether a share is the value at `place` of the polynomial behind the commitments. */
export const shareFits = (share: bigint, commitments: Commitments, place: number): boolean => {
  const image: Point = share === 0n ? zero : base.multiply(share)
  return sameInSubgroup(image, committedValueAt(commitments, place))
}

export type Complaints = {
  readonly roster: Roster
  /** Commitments by dealer. */
  readonly dealt: readonly Commitments[]
  /** Places of the accused by complainer. */
  readonly complaints: readonly (readonly number[])[]
  /** What each dealer showed in the open. */
  readonly answers: readonly (readonly { readonly place: number; readonly share: string }[])[]
  /** Whose shares are asked for. */
  readonly place: number
}

/**
 * Who stays a dealer, by what all have seen: one that answers each complaint with a share that fits,
 * and about which fewer complain than are needed to open. With as many as are needed, one of them is
 * honest, and the shares in the open would be enough to know its polynomial.
 *
 * @returns places of the qualified dealers, and the shares for `place` that came into the open
 * @throws ThresholdError `dealer` naming those left out, when so few are left that all may be dishonest
 */
export function settleComplaints(options: Complaints): {
  readonly qualified: readonly number[]
  readonly revealed: ReadonlyMap<number, bigint>
} {
  const { roster, dealt, complaints, answers, place } = options
  const revealed = new Map<number, bigint>()
  const qualified: number[] = []
  const excluded: number[] = []
  dealt.forEach((commitments, at) => {
    const dealer = at + 1
    const complainers = complaints.flatMap((dealers, by) =>
      dealers.includes(dealer) ? [by + 1] : [],
    )
    const stands =
      complainers.length < roster.needed &&
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
      hint: 'Look at these operators, then start again.',
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
