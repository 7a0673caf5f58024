import { beforeAll, describe, expect, it } from 'vitest'
import {
  abandon,
  abandoned,
  activate,
  activated,
  finalize,
  type HolderState,
  keepNext,
  revert,
  type Statements,
} from './holderState.ts'
import { type Group, groupOf, type Made, makeKey } from './keyGeneration.fixture.ts'
import { type Reshared, reshareTo } from './reshare.fixture.ts'
import { sessionOf } from './roster.ts'
import { type Signed, signMessage } from './signed.ts'
import { type StoredShare, storedForm } from './storedShare.ts'

let group: Group
let made: Made
let one: Reshared
let other: Reshared
let before: HolderState
beforeAll(async () => {
  group = groupOf(3, 2)
  made = await makeKey(group)
  one = await reshareTo(group, made, group.roster)
  other = await reshareTo(group, made, group.roster)
  const { confirmations } = made.certificate
  before = { version: 2, active: { ...storedForm(made.shares[0]!), confirmations }, abandoned: [] }
})

const idOf = ({ reshare }: Reshared) => reshare.session.id
const shareOf = ({ shares }: Reshared): StoredShare => storedForm(shares[0]!)
const next = (state: HolderState, run: Reshared) =>
  keepNext(state, shareOf(run), run.confirmations[0] as Signed)
const use = (state: HolderState, run: Reshared) => activate(state, idOf(run), run.confirmations)
const certificateOf = (run: Reshared) => ({
  session: idOf(run),
  commitments: shareOf(run).commitments,
  confirmations: [...run.confirmations],
})
const said = (kind: typeof activated, run: Reshared, places: number[]): Statements =>
  places.map((place) => {
    const session = idOf(run)
    const { digest } = sessionOf(session, group.roster)
    return { place, signed: signMessage(kind, digest, { session }, group.identities[place - 1]!) }
  })
const end = (state: HolderState, run: Reshared, statements: Statements) =>
  finalize(
    state,
    { certificate: certificateOf(run), to: group.roster, statements },
    group.identities[0]!,
  )

describe('the state of a member', () => {
  it('keeps the previous share until enough members use the next one', () => {
    const waiting = next(before, one)
    expect(waiting.active).toEqual(before.active)
    const using = use(waiting, one)
    expect(using).toMatchObject({ provisional: true, previous: before.active })
    expect(using.active).toEqual({ ...shareOf(one), confirmations: one.confirmations })
    expect(() => end(using, one, said(activated, one, [1]))).toThrow('1 of 2 needed')
    // One member twice, and statements about another run or of another kind.
    expect(() => end(using, one, said(activated, one, [1, 1]))).toThrow('1 of 2 needed')
    expect(() => end(using, one, said(activated, other, [1, 2]))).toThrow('has not signed')
    expect(() => end(using, one, said(abandoned, one, [1, 2]))).toThrow('has not signed')
    const final = end(using, one, said(activated, one, [2, 3]))
    expect(final).toEqual({ version: 2, active: using.active, abandoned: [] })
  })

  it('confirms one run at a time, which only this member itself gives up', () => {
    const waiting = next(before, one)
    expect(() => next(waiting, other)).toThrow('another resharing is waiting')
    const free = abandon(waiting, idOf(one))
    expect(free.next).toBeUndefined()
    expect(() => next(free, one)).toThrow('was abandoned')
    expect(() => use(free, one)).toThrow('no share of this resharing')
    expect(use(next(free, other), other).active?.session).toBe(idOf(other))
  })

  it('never abandons what it uses, and never uses what it abandoned', () => {
    const using = use(next(before, one), one)
    expect(() => abandon(using, idOf(one))).toThrow('already uses')
    expect(() => next(using, other)).toThrow('not final yet')
    const early = abandon(before, idOf(one))
    expect(() => next(early, one)).toThrow('was abandoned')
  })

  it('reverts only what can no longer be final', () => {
    const using = use(next(before, one), one)
    expect(() => revert(using, idOf(one), said(abandoned, one, [2]))).toThrow('only 1 operators')
    expect(() => revert(using, idOf(one), said(activated, one, [2, 3]))).toThrow('has not signed')
    const back = revert(using, idOf(one), said(abandoned, one, [2, 3]))
    expect(back).toEqual({ ...before, abandoned: [idOf(one)] })
    const final = end(using, one, said(activated, one, [1, 2]))
    expect(() => revert(final, idOf(one), said(abandoned, one, [2, 3]))).toThrow('is final')
  })

  it('is the same after a repetition of each transition', () => {
    const waiting = next(before, one)
    expect(next(waiting, one)).toEqual(waiting)
    const using = use(waiting, one)
    expect(use(using, one)).toBe(using)
    const final = end(using, one, said(activated, one, [1, 2]))
    expect(end(final, one, said(activated, one, [1, 2]))).toBe(final)
    expect(revert(before, idOf(one), said(abandoned, one, [2, 3]))).toBe(before)
    const gone = abandon(before, idOf(one))
    expect(abandon(gone, idOf(one))).toEqual(gone)
  })

  it('needs every confirmation, and a run that starts from the epoch in use', () => {
    const waiting = next(before, one)
    const { confirmations } = one
    expect(() => activate(waiting, idOf(one), confirmations.slice(1))).toThrow('are needed')
    expect(() => activate(waiting, idOf(one), other.confirmations)).toThrow('has not signed')
    const final = end(use(waiting, one), one, said(activated, one, [1, 2]))
    expect(() => next(final, other)).toThrow('does not start from the epoch in use')
  })
})
