import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scalarOf, scalars } from './group.ts'
import { epochsOf, readStatuses, settleEpochs } from './keyEpochs.ts'
import type { KeyMember } from './keyHolder.ts'
import type { SettleRequest } from './keyLifecycle.ts'
import {
  down,
  generate,
  lifecycleOf,
  type Operators,
  openWith,
  operatorsOf,
  plaintext,
  rosterOf,
  sealTo,
  signal,
  startAll,
} from './lifecycle.fixture.ts'
import { lagrangeAtZero } from './polynomial.ts'
import { recoverShare } from './recoverShare.ts'
import { reshareKey } from './reshareKey.ts'
import { shareToBackUp } from './restoreShare.ts'
import { shareFile } from './shareFile.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-reshare-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const fileOf = (operators: Operators, at: number) =>
  shareFile(operators.directory, operators.identities[at]!.address)
const textOf = (operators: Operators, at: number) =>
  readFile(
    join(operators.directory, `${operators.identities[at]!.address.toLowerCase()}.json`),
    'utf8',
  )
const shareOf = async (operators: Operators, at: number) =>
  (await fileOf(operators, at).read())!.share

function secretOf(shares: readonly { place: number; share: string }[]): bigint {
  const places = shares.map(({ place }) => place)
  return shares.reduce(
    (sum, { place, share }) =>
      scalars.add(sum, scalars.mul(lagrangeAtZero(place, places), scalarOf(share))),
    0n,
  )
}

describe('a refresh', () => {
  it('keeps the key, changes every share, and makes the old ones useless', async () => {
    const operators = operatorsOf(directory, { all: 4, needed: 3 })
    const { key } = await generate(operators, startAll(operators))
    const envelope = await sealTo(key)
    const old = await Promise.all([0, 1, 2, 3].map((at) => shareOf(operators, at)))
    const members = startAll(operators)
    const next = await reshareKey(lifecycleOf(operators, members))
    expect(next.key).toMatchObject({ publicKey: key.publicKey, epoch: 2, parent: key.session.id })
    const [opener] = operators.identities
    expect(await openWith(next.key, opener!, members.slice(1), envelope)).toBe(plaintext)
    expect(await openWith(next.key, opener!, startAll(operators).slice(0, 3), envelope)).toBe(
      plaintext,
    )
    const fresh = await Promise.all([0, 1, 2, 3].map((at) => shareOf(operators, at)))
    const at = (shares: string[], places: number[]) =>
      places.map((place) => ({ place, share: shares[place - 1]! }))
    const secret = secretOf(at(old, [1, 2, 3]))
    expect(secretOf(at(fresh, [2, 3, 4]))).toBe(secret)
    expect(secretOf([...at(old, [1, 2]), ...at(fresh, [3])])).not.toBe(secret)
    for (const [index, share] of old.entries()) {
      expect(fresh).not.toContain(share)
      expect(await textOf(operators, index)).not.toContain(share)
    }
    await expect(openWith(key, opener!, members, envelope)).rejects.toThrow('0 of 3 needed')
  })

  it('needs every member, and leaves all as it was without one', async () => {
    const operators = operatorsOf(directory, { all: 3, needed: 2 })
    const { key } = await generate(operators, startAll(operators))
    const [a, b, c] = startAll(operators) as [KeyMember, KeyMember, KeyMember]
    const before = await textOf(operators, 0)
    await expect(reshareKey(lifecycleOf(operators, [a, b, down(c)]))).rejects.toThrow(
      `a resharing needs ${c.address} (operator unreachable)`,
    )
    expect(await textOf(operators, 0)).toBe(before)
    expect((await settleEpochs(lifecycleOf(operators, [a, b, down(c)])))?.key.publicKey).toBe(
      key.publicKey,
    )
  })
})

describe('a resharing that was interrupted', () => {
  it('leaves the key usable in both epochs, and is completed by the next operation', async () => {
    const operators = operatorsOf(directory, { all: 3, needed: 3 })
    const members = startAll(operators)
    const { key } = await generate(operators, members)
    const envelope = await sealTo(key)
    const late = members.map((member, at) => ({
      ...member,
      settle: async (request: SettleRequest, on: AbortSignal) => {
        if (at === 2) throw new Error('connection lost')
        return member.settle(request, on)
      },
    }))
    await expect(reshareKey(lifecycleOf(operators, late))).rejects.toMatchObject({
      code: 'state',
      message: '2 of 3 needed operators use the next epoch; the one before is kept',
    })
    const [opener] = operators.identities
    const next = epochsOf(await readStatuses(lifecycleOf(operators, members)), operators.rules)[0]!
    expect(next).toMatchObject({ key: { epoch: 2 }, final: false })
    for (const epoch of [key, next.key])
      expect(await openWith(epoch, opener!, members, envelope)).toBe(plaintext)
    await expect(shareToBackUp(fileOf(operators, 0))).rejects.toThrow('not settled yet')
    const done = await settleEpochs(lifecycleOf(operators, startAll(operators)))
    expect(done).toMatchObject({ key: { epoch: 2, publicKey: key.publicKey }, final: true })
    await expect(openWith(key, opener!, members, envelope)).rejects.toThrow('0 of 3 needed')
  })
})

describe('a resharing', () => {
  it('adds members, removes them and changes the threshold; the key stays', async () => {
    const operators = operatorsOf(directory, { all: 5, members: 3, needed: 2 })
    const { identities } = operators
    const members = startAll(operators)
    const { key } = await generate(operators, members)
    const envelope = await sealTo(key)
    const five = await reshareKey(lifecycleOf(operators, members), rosterOf(identities, 3))
    expect(five.key).toMatchObject({ publicKey: key.publicKey, epoch: 2 })
    expect(await openWith(five.key, identities[4]!, members.slice(2), envelope)).toBe(plaintext)
    await expect(openWith(five.key, identities[4]!, members.slice(3), envelope)).rejects.toThrow(
      '2 of 3 needed',
    )
    const kept = [identities[4]!, identities[1]!, identities[3]!]
    const three = await reshareKey(lifecycleOf(operators, members), rosterOf(kept, 2))
    expect(three.key).toMatchObject({ publicKey: key.publicKey, epoch: 3 })
    expect(await openWith(three.key, identities[1]!, [members[3]!, members[4]!], envelope)).toBe(
      plaintext,
    )
    for (const at of [0, 2]) {
      expect(await members[at]!.status(signal)).toMatchObject({ state: 'none', retired: true })
      expect(await textOf(operators, at)).not.toContain('share')
    }
  })

  it('removes a member that is down, which deletes its share when it returns', async () => {
    const operators = operatorsOf(directory, { all: 3, needed: 2 })
    const [a, b, c] = startAll(operators) as [KeyMember, KeyMember, KeyMember]
    await generate(operators, [a, b, c])
    const to = rosterOf(operators.identities.slice(0, 2), 2)
    await reshareKey(lifecycleOf(operators, [a, b, down(c)]), to)
    expect((await c.status(signal)).state).toBe('complete')
    const settled = await settleEpochs(lifecycleOf(operators, [a, b, c]))
    expect(settled?.key.epoch).toBe(2)
    expect(await c.status(signal)).toMatchObject({ state: 'none', retired: true })
  })

  it('is refused for a roster that the operators have not configured', async () => {
    const operators = operatorsOf(directory, { all: 4, members: 3, needed: 2 })
    const { identities, rules } = operators
    const strict = { ...operators, rules: { ...rules, anyRoster: false } }
    const members = startAll(strict)
    await generate(strict, members)
    const options = lifecycleOf(strict, members)
    for (const to of [rosterOf(identities.slice(0, 2), 2), rosterOf(identities, 3)])
      await expect(reshareKey(options, to)).rejects.toThrow('the next roster is not configured')
    expect((await reshareKey(options, 'same')).key.epoch).toBe(2)
    const next = await reshareKey(options)
    expect(next.roster.members).toHaveLength(4)
    // Back to the roster before: it is still configured, but no longer the next one.
    await expect(reshareKey(options, rules.roster)).rejects.toThrow('is not configured')
  })
})

describe('a recovery', () => {
  it('restores the same share with the help of others', async () => {
    const operators = operatorsOf(directory, { all: 4, needed: 3 })
    const members = startAll(operators)
    const { key } = await generate(operators, members)
    await reshareKey(lifecycleOf(operators, members))
    const lost = await shareOf(operators, 1)
    const { address } = operators.identities[1]!
    const options = lifecycleOf(operators, members)
    await expect(recoverShare(options, address)).rejects.toThrow('already holds a share')
    await rm(join(directory, `${address.toLowerCase()}.json`))
    const { key: same } = await recoverShare(options, address)
    expect(same.publicKey).toBe(key.publicKey)
    expect(await shareOf(operators, 1)).toBe(lost)
    const envelope = await sealTo(key)
    const opener = operators.identities[0]!
    expect(await openWith(same, opener, members.slice(0, 3), envelope)).toBe(plaintext)
  })

  it('gives a member that missed a resharing its share', async () => {
    const operators = operatorsOf(directory, { all: 4, needed: 2 })
    const members = startAll(operators)
    await generate(operators, members)
    const { address } = operators.identities[3]!
    const path = join(directory, `${address.toLowerCase()}.json`)
    const before = await readFile(path)
    await reshareKey(lifecycleOf(operators, members))
    await rm(path)
    await writeFile(path, before)
    const epoch = await recoverShare(lifecycleOf(operators, members), address)
    expect(await members[3]!.status(signal)).toMatchObject({ epoch: 2, final: true })
    const envelope = await sealTo(epoch.key)
    const pair = [members[0]!, members[3]!]
    expect(await openWith(epoch.key, operators.identities[0]!, pair, envelope)).toBe(plaintext)
  })

  it('needs as many others as a decryption, and a member of the roster', async () => {
    const operators = operatorsOf(directory, { all: 3, needed: 3 })
    const members = startAll(operators)
    await generate(operators, members)
    const options = lifecycleOf(operators, members)
    const { address } = operators.identities[0]!
    await expect(recoverShare(options, address)).rejects.toThrow('2 of 3 needed other operators')
    const stranger = `0x${'9'.repeat(40)}` as const
    await expect(recoverShare(options, stranger)).rejects.toThrow('not in the roster')
  })
})
