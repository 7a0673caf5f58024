import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sealEnvelope } from '../envelopes/envelope.ts'
import { findOrMakeKey } from './coordinator.ts'
import type { GroupKey } from './groupKey.ts'
import { type Group, groupOf } from './keyGeneration.fixture.ts'
import { createKeyHolder, type KeyHolder } from './keyHolder.ts'
import { beginOpening } from './opening.ts'
import { shareFile } from './shareFile.ts'

const where = {
  policyClient: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31337,
} as const
const signal = new AbortController().signal
let directory: string
let group: Group

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-threshold-'))
  group = groupOf(4, 3)
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** Newly started operators, with empty memory. */
const start = (by: Group = group, approve = async () => true): KeyHolder[] =>
  by.identities.map((identity) =>
    createKeyHolder({
      identity,
      roster: by.roster,
      file: shareFile(directory, identity.address),
      random: randomBytes,
      approve,
    }),
  )

const find = (holders: readonly KeyHolder[], by: Group = group) =>
  findOrMakeKey({ holders, roster: by.roster, random: randomBytes, signal })

function down(holder: KeyHolder): KeyHolder {
  const gone = async () => {
    throw new Error('operator unreachable')
  }
  return { address: holder.address, status: gone, generate: gone, complete: gone, open: gone }
}

async function openWith(key: GroupKey, holders: readonly KeyHolder[], envelope: string) {
  const identity = group.identities[0]!
  const opening = await beginOpening({ envelope, key, identity, random: randomBytes })
  const answers = await Promise.all(holders.map((each) => each.open(opening.request, signal)))
  return Buffer.from(await opening.open(answers, where)).toString()
}

const sealTo = (key: GroupKey) =>
  sealEnvelope({ plaintext: Buffer.from('Ada'), ...where, recipientPublicKey: key.publicKey })

const sharePath = (at: number) =>
  join(directory, `${group.identities[at]!.address.toLowerCase()}.json`)

describe('a key shared by operators', () => {
  it('is created once, and survives restarts with data sealed to it', async () => {
    const first = await find(start())
    expect(first).toMatchObject({ made: true, holders: 4 })
    const envelope = await sealTo(first.key)
    const holders = start()
    const second = await find(holders)
    expect(second).toMatchObject({ made: false, holders: 4 })
    expect(second.key.publicKey).toBe(first.key.publicKey)
    expect(await openWith(second.key, holders.slice(0, 3), envelope)).toBe('Ada')
    expect(await openWith(second.key, holders.slice(1), envelope)).toBe('Ada')
    await expect(openWith(second.key, holders.slice(2), envelope)).rejects.toThrow('2 of 3 needed')
  })

  it('is available with the required number of operators, not with fewer, and is never replaced', async () => {
    const { key } = await find(start())
    const [a, b, c, d] = start() as [KeyHolder, KeyHolder, KeyHolder, KeyHolder]
    const found = await find([down(a), b, c, d])
    expect(found).toMatchObject({ made: false, holders: 3 })
    expect(found.key.publicKey).toBe(key.publicKey)
    await expect(find([down(a), b, c, down(d)])).rejects.toMatchObject({
      code: 'state',
      message: '2 of 3 needed operators hold a share of the privacy key',
    })
    await rm(sharePath(0))
    expect((await find(start())).key.publicKey).toBe(key.publicKey)
    await rm(sharePath(1))
    await expect(find(start())).rejects.toThrow('2 of 3 needed')
  })

  it('is available although an operator hangs', async () => {
    const { key } = await find(start())
    const [first, ...rest] = start() as [KeyHolder, ...KeyHolder[]]
    const hanging: KeyHolder = {
      ...first,
      status: (on) =>
        new Promise((_, reject) => on.addEventListener('abort', () => reject(on.reason))),
    }
    const holders = [hanging, ...rest]
    const { roster } = group
    const found = await findOrMakeKey({
      holders,
      roster,
      random: randomBytes,
      signal,
      statusMs: 200,
    })
    expect(found.key.publicKey).toBe(key.publicKey)
    expect(found.holders).toBe(3)
  })

  it('is not created while an operator is down, which is reported', async () => {
    const holders = start()
    await expect(find([...holders.slice(0, 3), down(holders[3]!)])).rejects.toThrow(
      `a new key needs every operator; ${holders[3]!.address} (operator unreachable)`,
    )
    expect(await readdir(directory)).toEqual([])
  })

  it('is completed by operators that missed the end of the run', async () => {
    const holders = start()
    const cut = holders.map((holder, at) =>
      at < 2
        ? holder
        : { ...holder, complete: async () => Promise.reject(new Error('connection lost')) },
    )
    await expect(find(cut)).rejects.toThrow('in step complete: connection lost')
    expect(await readdir(directory)).toHaveLength(4)
    const again = start()
    const found = await find(again)
    expect(found).toMatchObject({ made: false, holders: 4 })
    expect(await openWith(found.key, again.slice(1), await sealTo(found.key))).toBe('Ada')
    expect((await readdir(directory)).filter((name) => name.includes('pending'))).toEqual([])
  })

  it('is created again if no operator has completed the run', async () => {
    const lost = start().map((holder) => ({
      ...holder,
      complete: async () => Promise.reject(new Error('connection lost')),
    }))
    await expect(find(lost)).rejects.toThrow('no key was created')
    const found = await find(start())
    expect(found.made).toBe(true)
    expect((await find(start())).key.publicKey).toBe(found.key.publicKey)
  })

  it('reports an operator with messages that it did not sign', async () => {
    const holders = start()
    const swapped = holders.with(1, { ...holders[2]!, address: holders[1]!.address })
    await expect(find(swapped)).rejects.toMatchObject({
      code: 'dealer',
      message: expect.stringContaining(`${holders[1]!.address} sent a message that it has not`),
    })
  })
})

describe('a holder', () => {
  it('rejects another key once it has one, also after a restart', async () => {
    const { key } = await find(start())
    for (const holder of start()) {
      const asked = holder.generate(
        { session: 'ab'.repeat(32), step: 'commit', messages: [] },
        signal,
      )
      await expect(asked).rejects.toMatchObject({ code: 'state' })
    }
    expect((await find(start())).key.publicKey).toBe(key.publicKey)
  })

  it('keeps its share readable by its account only, and never exposes it', async () => {
    await find(start())
    const { mode } = await stat(sharePath(0))
    expect(mode & 0o777).toBe(0o600)
    const { share } = JSON.parse(await readFile(sharePath(0), 'utf8')) as { share: string }
    const status = await start()[0]!.status(signal)
    expect(status.state).toBe('complete')
    expect(JSON.stringify(status)).not.toContain(share)
  })

  it('reports a damaged file or one of another key, without its content', async () => {
    const { key } = await find(start())
    const envelope = await sealTo(key)
    const kept = JSON.parse(await readFile(sharePath(0), 'utf8')) as { share: string }
    await writeFile(sharePath(0), JSON.stringify({ ...kept, share: `01${kept.share.slice(2)}` }))
    await expect(openWith(key, start(), envelope)).rejects.toThrow('does not match its key')
    await writeFile(sharePath(0), JSON.stringify(kept).slice(0, -40))
    await expect(start()[0]!.status(signal)).rejects.toMatchObject({
      code: 'state',
      message: 'the share file is damaged',
    })
    expect(await find(start())).toMatchObject({ made: false, holders: 3 })
  })

  it('takes part only in decryptions that its operator approves', async () => {
    const { key } = await find(start())
    const envelope = await sealTo(key)
    await expect(
      openWith(
        key,
        start(group, async () => false),
        envelope,
      ),
    ).rejects.toThrow('does not take part in this opening')
  })

  it('uses the roster of its configuration', async () => {
    await find(start())
    const other = { ...group, roster: { ...group.roster, needed: 2 } }
    await expect(start(other)[0]!.status(signal)).rejects.toThrow('belongs to another roster')
    const stranger = groupOf(2, 2)
    expect(() => start({ ...group, roster: stranger.roster })).toThrow('not in the roster')
    for (const needed of [0, 1, 5, 2.5])
      expect(() => start({ ...group, roster: { ...group.roster, needed } })).toThrow(
        'the threshold must be from 2 to the number of operators',
      )
  })

  it('rejects invalid requests of a run', async () => {
    const holder = start()[0]!
    const ask = (request: object) => holder.generate(request as never, signal)
    await expect(ask({})).rejects.toMatchObject({ code: 'run' })
    const session = 'cd'.repeat(32)
    await expect(ask({ session, step: 'deal', messages: [] })).rejects.toThrow('not in progress')
    await ask({ session, step: 'commit', messages: [] })
    await expect(ask({ session, step: 'deal', messages: [] })).rejects.toThrow('out of order')
    await expect(ask({ session, step: 'offer', messages: [] })).rejects.toThrow('not in progress')
    await expect(holder.complete({ session, confirmations: [] }, signal)).rejects.toMatchObject({
      code: 'state',
    })
  })
})
