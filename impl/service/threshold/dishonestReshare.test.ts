import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { hexOf } from './group.ts'
import { openCertificate } from './groupKey.ts'
import {
  type Group,
  groupOf,
  type Made,
  makeKey,
  publicKeyOf,
  secretOf,
} from './keyGeneration.fixture.ts'
import { answer, type Confirmation, complaint, confirmation } from './messages.ts'
import { commitTo, randomPolynomial } from './polynomial.ts'
import { type Reshared, type ReshareStep, reshareTo } from './reshare.fixture.ts'
import { type Reshare, readPlan } from './resharePlan.ts'
import { type Redeal, type Resharing, redeal } from './resharing.ts'
import type { Identity, Roster } from './roster.ts'
import { type Kind, readMessage, type Signed, signMessage } from './signed.ts'
import { rosterRecord } from './storedShare.ts'

let group: Group
let made: Made
beforeAll(async () => {
  group = groupOf(3, 2)
  made = await makeKey(group)
})

/** A member that sends something else in one step, signed with its own key. */
function dishonest<T>(
  liar: number,
  step: 'deal' | 'check' | 'answer',
  kind: Kind<T>,
  lie: (message: T) => T,
) {
  return (honest: Resharing, identity: Identity, { digest }: Reshare): Resharing => {
    if (identity !== group.identities[liar - 1]) return honest
    const again = (signed: Signed) =>
      signMessage(kind, digest, lie(readMessage(kind, digest, signed, identity)), identity)
    const call = honest[step] as (...said: unknown[]) => Signed | Promise<Signed>
    return { ...honest, [step]: async (...said: unknown[]) => again(await call(...said)) }
  }
}

const flip = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)
const wrongFor = (place: number) =>
  dishonest(2, 'deal', redeal, (said: Redeal) => ({
    ...said,
    shares: said.shares.map((share, at) => (at + 1 === place ? flip(share) : share)),
  }))
const address = (place: number) => group.identities[place - 1]!.address

function expectSameKey({ shares, confirmations, reshare }: Reshared): void {
  const commitments = [...shares[0]!.commitments]
  const { id } = reshare.session
  const certificate = { session: id, commitments, confirmations: [...confirmations] }
  const key = openCertificate(certificate, reshare.session.roster)
  expect(key).toMatchObject({ publicKey: publicKeyOf(made), epoch: 2 })
  const { needed } = key.session.roster
  const secret = secretOf(made.shares)
  expect(secretOf(shares.slice(0, needed))).toBe(secret)
  expect(secretOf(shares.slice(-needed))).toBe(secret)
}

/** A refresh, and a resharing that reorders the members and raises the threshold. */
const targets = (): [string, Roster][] => [
  ['refresh', group.roster],
  ['resharing', { needed: 3, members: [...group.roster.members].reverse() }],
]

describe.each([0, 1])('a dishonest member of a refresh or a resharing (%i)', (which) => {
  const to = () => targets()[which]![1]

  it('that deals an invalid share and cannot justify it is excluded; the key stays', async () => {
    const silent = dishonest(2, 'answer', answer, () => ({ shares: [] }))
    let shown = ''
    const result = await reshareTo(group, made, to(), {
      member: (honest, by, run) => silent(wrongFor(3)(honest, by, run), by, run),
      relay: (step, all) => {
        if (step === 'answer') shown = JSON.stringify(all)
        return all
      },
    })
    expectSameKey(result)
    expect(shown).not.toContain('"share\\"')
  })

  it('that reveals a valid share stays, and the complainer uses it', async () => {
    expectSameKey(await reshareTo(group, made, to(), { member: wrongFor(3) }))
  })

  it('that deals something other than its share ends the run with its address', async () => {
    const { needed } = to()
    const other = dishonest(2, 'deal', redeal, (said: Redeal) => ({
      ...said,
      commitments: commitTo(randomPolynomial(needed, randomBytes)).map(hexOf),
    }))
    await expect(reshareTo(group, made, to(), { member: other })).rejects.toMatchObject({
      code: 'dealer',
      message: `${address(2)} dealt something other than its share`,
    })
  })

  it('that deals a polynomial of another degree ends the run with its address', async () => {
    const longer = dishonest(2, 'deal', redeal, (said: Redeal) => ({
      ...said,
      commitments: [...said.commitments, said.commitments[1]!],
    }))
    await expect(reshareTo(group, made, to(), { member: longer })).rejects.toThrow(
      `${address(2)} dealt a polynomial of the wrong degree`,
    )
  })

  it('with an unjustified complaint changes nothing', async () => {
    const slander = dishonest(3, 'check', complaint, () => ({ dealers: [1, 2] }))
    expectSameKey(await reshareTo(group, made, to(), { member: slander }))
  })

  it('that confirms another key ends the run with its address', async () => {
    const lie = (honest: Resharing, by: Identity, { session }: Reshare): Resharing => ({
      ...honest,
      finish(...said) {
        const finished = honest.finish(...said)
        if (by.address !== address(2)) return finished
        const body = JSON.parse(finished.confirmation.body) as Confirmation
        const lied = { ...body, epoch: 7 }
        return {
          ...finished,
          confirmation: signMessage(confirmation, session.digest, lied, by),
        }
      },
    })
    const result = await reshareTo(group, made, to(), { member: lie })
    expect(() => expectSameKey(result)).toThrow(`${address(2)} saw a different run`)
  })
})

describe('members that collude', () => {
  it('cannot have a dealer reveal enough to compute its share', async () => {
    const slander = (liar: number) => dishonest(liar, 'check', complaint, () => ({ dealers: [1] }))
    let shown: readonly Signed[] = []
    const result = await reshareTo(group, made, group.roster, {
      member: (honest, by, run) => slander(2)(slander(3)(honest, by, run), by, run),
      relay: (step, all) => {
        if (step === 'answer') shown = all
        return all
      },
    })
    expect(JSON.parse(shown[0]!.body)).toEqual({ shares: [] })
    expectSameKey(result)
  })

  it('end the run with their addresses if too few dealers are left', async () => {
    const silent = dishonest(2, 'answer', answer, () => ({ shares: [] }))
    await expect(
      reshareTo(group, made, group.roster, {
        dealers: [1, 2],
        member: (honest, by, run) => silent(wrongFor(3)(honest, by, run), by, run),
      }),
    ).rejects.toMatchObject({ code: 'dealer', message: expect.stringContaining(address(2)) })
  })
})

describe('a dishonest relay of a resharing', () => {
  const names = ['transport', 'deal', 'check', 'answer'] as const
  it.each(names)('cannot change, omit or swap the messages of step %s', async (name) => {
    const at =
      (change: (all: readonly Signed[]) => readonly Signed[]) =>
      (step: ReshareStep, all: readonly Signed[]) =>
        step === name ? change(all) : all
    const run = (change: (all: readonly Signed[]) => readonly Signed[]) =>
      reshareTo(group, made, group.roster, { relay: at(change) })
    await expect(
      run((all) => all.map((one, by) => (by === 1 ? { ...one, body: `${one.body} ` } : one))),
    ).rejects.toMatchObject({
      code: 'dealer',
      message: expect.stringContaining(`${address(2)} sent a message`),
    })
    await expect(run((all) => all.slice(1))).rejects.toMatchObject({ code: 'run' })
    await expect(run((all) => [...all].reverse())).rejects.toMatchObject({ code: 'dealer' })
  })

  it('cannot send two members different complaints of a colluding member', async () => {
    let digest = new Uint8Array()
    const result = await reshareTo(group, made, group.roster, {
      member: (honest, _, reshare) => {
        digest = reshare.digest as Uint8Array<ArrayBuffer>
        return honest
      },
      relay: (step, all, to) =>
        step === 'check' && to === group.identities[0]
          ? all.with(2, signMessage(complaint, digest, { dealers: [2] }, group.identities[2]!))
          : all,
    }).then(
      (done) => () => expectSameKey(done),
      (error: unknown) => () => {
        throw error
      },
    )
    expect(result).toThrow(/saw a different run|wrong shares/)
  })

  it('cannot replay messages of another session', async () => {
    let taken: readonly Signed[] = []
    await reshareTo(group, made, group.roster, {
      relay: (step, all) => {
        if (step === 'deal') taken = all
        return all
      },
    })
    await expect(
      reshareTo(group, made, group.roster, {
        relay: (step, all) => (step === 'deal' ? taken : all),
      }),
    ).rejects.toMatchObject({ code: 'dealer' })
  })

  it('learns no share', async () => {
    const seen: string[] = []
    const { shares } = await reshareTo(group, made, group.roster, {
      relay: (_, all) => {
        seen.push(...all.map(({ body }) => body))
        return all
      },
    })
    const all = seen.join()
    for (const { share } of [...shares, ...made.shares]) expect(all).not.toContain(hexOf(share))
  })

  it('cannot propose an invalid plan', () => {
    const plan = {
      session: 'ab'.repeat(32),
      certificate: made.certificate,
      from: rosterRecord(group.roster),
      to: rosterRecord(group.roster),
      dealers: [1, 2],
    }
    const read = (change: object) => () => readPlan({ ...plan, ...change })
    expect(read({})).not.toThrow()
    for (const dealers of [[2, 1], [1, 1], [1, 9], [1]])
      expect(read({ dealers })).toThrow(/dealers/)
    expect(read({ session: made.certificate.session })).toThrow('a session of its own')
    expect(read({ from: { ...plan.from, needed: 3 } })).toThrow('not signed')
    expect(read({ to: { ...plan.to, needed: 1 } })).toThrow('the threshold must be')
  })
})
