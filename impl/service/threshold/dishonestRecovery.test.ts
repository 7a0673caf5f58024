import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { hexOf } from './group.ts'
import { type Group, groupOf, type Made, makeKey } from './keyGeneration.fixture.ts'
import type { KeyShare } from './keyGeneration.ts'
import { pieces, type RecoveryRun, readRecoveryPlan, recoveryRun, sum } from './recovery.ts'
import { type Kind, readMessage, type Signed, signMessage } from './signed.ts'
import { rosterRecord } from './storedShare.ts'

let group: Group
let made: Made
beforeAll(async () => {
  group = groupOf(4, 3)
  made = await makeKey(group)
})

const planOf = (change: object = {}) => ({
  id: randomBytes(32).toString('hex'),
  certificate: made.certificate,
  roster: rosterRecord(group.roster),
  lost: 2,
  helpers: [1, 3, 4],
  ...change,
})

type Step = 'transport' | 'split' | 'sum'
type Changes = {
  readonly relay?: (
    step: Step,
    all: readonly Signed[],
    to: number,
    digest: Uint8Array,
  ) => readonly Signed[]
  /** The share that a helper uses instead of its own. */
  readonly share?: (honest: KeyShare, place: number) => KeyShare
}

/** The recovery of the second member's share, with messages passed in memory. */
async function recover({ relay = (_, all) => all, share = (one) => one }: Changes = {}) {
  const recovery = readRecoveryPlan(planOf())
  const runOf = (place: number): RecoveryRun =>
    recoveryRun({
      recovery,
      identity: group.identities[place - 1]!,
      share: place === 2 ? undefined : share(made.shares[place - 1]!, place),
      random: randomBytes,
    })
  const helpers = recovery.plan.helpers.map((place) => ({ place, run: runOf(place) }))
  const lost = runOf(2)
  const pass = (step: Step, all: readonly Signed[], to: number) =>
    relay(step, all, to, recovery.digest)
  const keys = [...helpers.map(({ run }) => run.transport()), lost.transport()]
  const split = await Promise.all(
    helpers.map(({ run, place }) => run.split(pass('transport', keys, place))),
  )
  const sums = await Promise.all(
    helpers.map(({ run, place }) => run.sum(pass('split', split, place))),
  )
  return lost.restore(pass('split', split, 2), pass('sum', sums, 2))
}

const address = (place: number) => group.identities[place - 1]!.address

describe('a recovery', () => {
  it('returns the lost share, and no message contains it or that of a helper', async () => {
    const seen: string[] = []
    const relay = (_: Step, all: readonly Signed[]) => {
      seen.push(...all.map(({ body }) => body))
      return all
    }
    expect((await recover({ relay })).share).toBe(made.shares[1]!.share)
    for (const { share } of made.shares) expect(seen.join()).not.toContain(hexOf(share))
  })

  it('names a helper that uses another share', async () => {
    const share = (honest: KeyShare, place: number) =>
      place === 3 ? { ...honest, share: honest.share + 1n } : honest
    await expect(recover({ share })).rejects.toMatchObject({
      code: 'dealer',
      message: `${address(3)} sent pieces of something other than its share`,
    })
  })

  /** The third member sends something else, signed with its own key, to one member or to all. */
  const lying =
    <T>(at: Step, kind: Kind<T>, lie: (said: T) => T, only?: number) =>
    (step: Step, all: readonly Signed[], to: number, digest: Uint8Array) => {
      if (step !== at || (only !== undefined && only !== to)) return all
      const identity = group.identities[2]!
      const said = readMessage(kind, digest, all[1]!, identity)
      return all.with(1, signMessage(kind, digest, lie(said), identity))
    }
  const flip = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)
  const badPiece = (said: { commitments: string[]; sealed: string[] }) => ({
    ...said,
    sealed: said.sealed.map(flip),
  })

  it('names a helper with a wrong piece', async () => {
    await expect(recover({ relay: lying('split', pieces, badPiece) })).rejects.toMatchObject({
      code: 'dealer',
      message: `${address(3)} sent a piece that differs from its commitment`,
    })
  })

  it('names a helper with a wrong sum', async () => {
    const relay = lying('sum', sum, (said) => ({ ...said, sum: flip(said.sum) }))
    await expect(recover({ relay })).rejects.toMatchObject({
      code: 'dealer',
      message: `${address(3)} sent a sum that differs from its pieces`,
    })
  })

  it('detects different pieces for different members', async () => {
    const relay = lying('split', pieces, badPiece, 2)
    await expect(recover({ relay })).rejects.toMatchObject({
      code: 'run',
      message: expect.stringContaining('saw other pieces'),
    })
  })

  it('rejects messages of another run', async () => {
    let taken: readonly Signed[] = []
    await recover({
      relay: (step, all) => {
        if (step === 'sum') taken = all
        return all
      },
    })
    const relay = (step: Step, all: readonly Signed[]) => (step === 'sum' ? taken : all)
    await expect(recover({ relay })).rejects.toMatchObject({ code: 'dealer' })
  })

  it.each(['transport', 'split', 'sum'] as const)(
    'detects a relay that changes or omits messages of step %s',
    async (name) => {
      const at = (change: (all: readonly Signed[]) => readonly Signed[]) => ({
        relay: (step: Step, all: readonly Signed[]) => (step === name ? change(all) : all),
      })
      const changed = at((all) => all.with(1, { ...all[1]!, body: `${all[1]!.body} ` }))
      await expect(recover(changed)).rejects.toMatchObject({
        code: 'dealer',
        message: expect.stringContaining(`${address(3)} sent a message`),
      })
      await expect(recover(at((all) => all.slice(1)))).rejects.toMatchObject({ code: 'run' })
      await expect(recover(at((all) => [...all].reverse()))).rejects.toMatchObject({
        code: 'dealer',
      })
    },
  )

  it('rejects an invalid plan', () => {
    const read = (change: object) => () => readRecoveryPlan(planOf(change))
    expect(read({})).not.toThrow()
    for (const helpers of [
      [1, 2, 3],
      [3, 1, 4],
      [1, 1, 3],
    ])
      expect(read({ helpers })).toThrow('by other members in ascending order')
    for (const helpers of [
      [1, 3],
      [1, 3, 9],
    ])
      expect(read({ helpers })).toThrow('exactly 3')
    expect(read({ lost: 9 })).toThrow('other members')
  })
})
