import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hexOf, scalarOf, scalars } from './group.ts'
import type { HolderState } from './holderState.ts'
import { type Epoch, settleEpochs } from './keyEpochs.ts'
import type { KeyMember } from './keyHolder.ts'
import {
  generate,
  lifecycleOf,
  type Operators,
  openWith,
  operatorsOf,
  plaintext,
  rosterOf,
  sealTo,
  startAll,
} from './lifecycle.fixture.ts'
import { lagrangeAtZero } from './polynomial.ts'
import { recoverShare } from './recoverShare.ts'
import { reshareKey } from './reshareKey.ts'
import type { ShareFile } from './shareFile.ts'
import { shareFile } from './shareFile.ts'
import type { StoredShare } from './storedShare.ts'

const runs = 200
const seed = Number(process.env.LIFECYCLE_SEED ?? randomBytes(4).readUInt32BE())

let directory: string
let operators: Operators
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-crashes-'))
  operators = operatorsOf(directory, { all: 3, needed: 2 })
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Mulberry32: the same kills for the same seed. */
function generator(state: number): (below: number) => number {
  let at = state
  return (below) => {
    at = (at + 0x6d2b79f5) | 0
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const coordinator = -1

/** A kill at the n-th step of a party, of all or only of those that change which epoch is used. */
type Kill = { readonly party: number; readonly at: number; readonly settling: boolean }

/** A party that was killed takes no further step until it is started again. */
function killer(kills: readonly Kill[]) {
  const taken = new Map<string, number>()
  const dead = new Set<number>()
  return {
    step(party: number, settling = false): void {
      for (const of of settling ? [true, false] : [false]) {
        const count = (taken.get(`${party} ${of}`) ?? 0) + 1
        taken.set(`${party} ${of}`, count)
        if (kills.some((kill) => kill.party === party && kill.settling === of && kill.at === count))
          dead.add(party)
      }
      if (dead.has(party)) throw new Error(`party ${party} was killed`)
    },
  }
}
type Killer = ReturnType<typeof killer>

/** A kill before a write, in the middle of one, or after it. */
const killableFile =
  (kill: Killer) =>
  (file: ShareFile, at: number): ShareFile => ({
    ...file,
    async replace(state: HolderState) {
      kill.step(at)
      try {
        kill.step(at)
      } catch (killed) {
        const name = `.${operators.identities[at]!.address.toLowerCase()}.json.${randomUUID()}.part`
        const text = JSON.stringify(state)
        await writeFile(join(directory, name), text.slice(0, Math.floor(text.length * 0.9)))
        throw killed
      }
      await file.replace(state)
      kill.step(at)
    },
  })

const sent: string[] = []

/** A kill of either side, before a request and before its answer. */
function killableCalls(member: KeyMember, at: number, kill: Killer): KeyMember {
  const calls = (call: (request: never, on: AbortSignal) => Promise<unknown>, settling = false) =>
    (async (request: never, on: AbortSignal) => {
      kill.step(coordinator, settling)
      kill.step(at, settling)
      sent.push(JSON.stringify(request))
      const answer = await call(request, on)
      kill.step(at, settling)
      kill.step(coordinator, settling)
      sent.push(JSON.stringify(answer))
      return answer
    }) as never
  const status: unknown = calls((_, on) => member.status(on))
  return {
    address: member.address,
    status: (on) => (status as (request: null, by: AbortSignal) => Promise<never>)(null, on),
    ...{ generate: calls(member.generate), complete: calls(member.complete) },
    ...{ open: calls(member.open), reshare: calls(member.reshare) },
    ...{ settle: calls(member.settle, true), recover: calls(member.recover) },
  }
}

const startUnder = (kill: Killer): KeyMember[] =>
  startAll(operators, killableFile(kill)).map((member, at) => killableCalls(member, at, kill))

const states = () =>
  Promise.all(operators.identities.map(({ address }) => shareFile(directory, address).state()))

async function filesText(): Promise<string> {
  const names = await readdir(directory)
  return (await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))).join()
}

it(`loses no key and reveals none in ${runs} random interleavings of kills`, async () => {
  process.stdout.write(`seed ${seed}; repeat with LIFECYCLE_SEED=${seed}\n`)
  const next = generator(seed)
  const { key } = await generate(operators, startAll(operators))
  const envelope = await sealTo(key)
  const secrets = new Set<string>()
  let current: Epoch = (await settleEpochs(lifecycleOf(operators, startAll(operators))))!
  const secret = secretOf((await states()).flatMap(({ active }) => active ?? []).slice(0, 2))
  secrets.add(secret)
  let interrupted = 0
  let opened = 0

  for (let run = 0; run < runs; run += 1) {
    const { identities } = operators
    const earlier = (await states()).flatMap(({ active }) => active?.share ?? [])
    for (const share of earlier) secrets.add(share)
    // Every party, at every step that it may take: a receiver that deals takes about twenty.
    const kills = Array.from({ length: 1 + next(2) }, () => {
      const party = next(identities.length + 1) - 1
      const settling = next(2) === 0
      return { party, settling, at: 1 + next(settling ? 6 : party === coordinator ? 60 : 18) }
    })
    const kill = killer(kills)
    const members = startUnder(kill)
    const options = lifecycleOf(operators, members)
    const [first, ...others] = rotated(identities, next(identities.length))
    const size = 2 + next(identities.length - 1)
    const to = rosterOf([first!, ...others.slice(0, size - 1)], 2 + next(size - 1))
    const opener = identities.find(({ address }) =>
      current.roster.members.some((member) => member.address === address),
    )!
    const spare = current.users.length > current.roster.needed && next(4) === 0
    const lost = current.users[next(current.users.length)]!.member.address
    if (spare) await rm(join(directory, `${lost.toLowerCase()}.json`))
    const work = spare ? recoverShare(options, lost) : reshareKey(options, to)
    const opening = next(3) !== 0 ? undefined : openWith(current.key, opener, members, envelope)
    const settled = await Promise.allSettled([work, opening])
    if (settled[0].status === 'rejected') interrupted += 1
    if (opening !== undefined && settled[1].status === 'fulfilled') {
      expect(settled[1].value).toBe(plaintext)
      opened += 1
    }

    // Again with a kill, then without: completing is itself interrupted, and repeated.
    // Half of the time, a member is down from the start.
    const again = killer([
      next(2) === 0
        ? { party: next(identities.length), at: 1, settling: false }
        : { party: next(identities.length + 1) - 1, at: 1 + next(8), settling: false },
    ])
    await settleEpochs(lifecycleOf(operators, startUnder(again))).catch(() => undefined)
    const restarted = startAll(operators)
    const whole = lifecycleOf(operators, restarted)
    const found = await settleEpochs(whole)
    expect(found?.key.publicKey, `run ${run}`).toBe(key.publicKey)
    current = found!
    for (const { address } of current.roster.members) {
      const holds = current.users.some(({ member }) => member.address === address)
      if (!holds) await recoverShare(whole, address)
    }
    const kept = await states()
    const of = kept.flatMap(({ active }) => active ?? [])
    expect(of.map(({ session }) => session)).toEqual(
      current.roster.members.map(() => current.certificate.session),
    )
    // Interpolated from the first shares and from the last: all are of one polynomial.
    const { needed } = current.roster
    for (const some of [of.slice(0, needed), of.slice(-needed)])
      expect(secretOf(some), `run ${run}`).toBe(secret)
    const used = kept.flatMap(({ active }) => active?.share ?? [])
    for (const share of used) secrets.add(share)
    const onDisk = await filesText()
    // Shares of an epoch that is over are gone, also from interrupted writes.
    for (const share of secrets) if (!used.includes(share)) expect(onDisk).not.toContain(share)
    const traffic = sent.splice(0).join()
    for (const share of secrets) expect(traffic).not.toContain(share)
    expect(`${traffic}${onDisk}`).not.toContain(plaintext)
    current = (await settleEpochs(whole))!
  }
  expect(interrupted).toBeGreaterThan(runs / 10)
  expect(opened).toBeGreaterThan(runs / 10)
}, 120_000)

const rotated = <T>(all: readonly T[], by: number): T[] => [...all.slice(by), ...all.slice(0, by)]

/** The key itself, which only tests compute. */
function secretOf(shares: readonly StoredShare[]): string {
  const places = shares.map(({ place }) => place)
  const sum = shares.reduce(
    (total, { place, share }) =>
      scalars.add(total, scalars.mul(lagrangeAtZero(place, places), scalarOf(share))),
    0n,
  )
  return hexOf(sum)
}
