import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEncryptionKey } from '../envelopes/encryptionKey.ts'
import type { OpeningTask } from '../operators/operator.ts'
import type { PrivateData } from '../operators/privateData.ts'
import type { PrivateUses } from '../operators/privateUses.ts'
import { findOrMakeKey } from '../threshold/coordinator.ts'
import { createKeyHolder, type LocalKeyHolder } from '../threshold/keyHolder.ts'
import type { SealedPartial } from '../threshold/opening.ts'
import { identityOf } from '../threshold/roster.ts'
import { shareFile } from '../threshold/shareFile.ts'
import { approveGrants } from './approveGrants.ts'
import {
  chainId,
  client,
  grantWorld,
  linkOf,
  never,
  provider,
  sealed,
  sourceOf,
  taskAt,
  userAccount,
} from './grants.fixture.ts'
import { noOpener, singleKeyOpener, thresholdOpener } from './opener.ts'
import { privateDataOf } from './privateDataOf.ts'
import { createSharedOpenings } from './sharedOpenings.ts'

const user = userAccount()
const world = grantWorld()
const identities = [1, 2, 3, 4].map((at) =>
  identityOf(`0x${String(at).repeat(40)}`, randomBytes(32).toString('hex')),
)
const roster = {
  needed: 3,
  members: identities.map(({ address, publicKey }) => ({ address, publicKey })),
}
const all: PrivateUses = { identity: true, confidential: 'all', privacy: true }
/** One envelope: decryptions take most of the time. */
const identityOnly: PrivateUses = { identity: true, confidential: [], privacy: false }

let directory: string
let holders: LocalKeyHolder[]
let publicKey: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-openings-'))
  holders = identities.map((identity) =>
    createKeyHolder({
      ...{ identity, roster, random: randomBytes, approve: approveGrants(world.chain) },
      file: shareFile(directory, identity.address),
    }),
  )
  const { key } = await findOrMakeKey({ holders, roster, random: randomBytes, signal: never })
  publicKey = key.publicKey
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const operatorAt = (at: number, openings = createSharedOpenings(), uses = all): PrivateData =>
  privateDataOf({
    ...{ chain: world.chain, openings, usesOf: async () => uses },
    opener: thresholdOpener(holders[at]!, chainId),
  })

/** A task that needs all three kinds, with what it opens. */
async function fullTask(key = publicKey) {
  const identity = await sealed(key, user.address, { status: 'approved' })
  const list = await sealed(key, provider, { entries: ['0xabc'] })
  const bid = await sealed(key, client, { bid: 7 })
  const block = world.mine({ links: [linkOf(user, identity)], sources: [sourceOf(list)] })
  const task = await taskAt(block, user, { envelopes: [list, identity], privacy: { bid } })
  const document = {
    identity: { status: 'approved' },
    confidential: { blacklist: { granted: true, data: { entries: ['0xabc'] } } },
    privacy: { bid: { bid: 7 } },
  }
  return { task, document }
}

/** As the gateway relays: what members say to each request. */
async function relayed(
  begun: Awaited<ReturnType<PrivateData['begin']>>,
  members: readonly number[],
) {
  return await Promise.all(
    begun.requests.map((request) =>
      Promise.all(members.map((at) => holders[at]!.open(request, never))),
    ),
  )
}

const read = async (document: Uint8Array) => JSON.parse(Buffer.from(document).toString()) as unknown
const noWrong = () => expect.fail('no member is wrong')
const open = (
  operator: PrivateData,
  { taskId }: OpeningTask,
  partials: readonly (readonly SealedPartial[])[],
  onWrong: (members: readonly string[]) => void = noWrong,
) => operator.open(taskId, { partials, onWrong }, read)

describe('a task', () => {
  it('opens all that it may, with any three of four members', async () => {
    const { task, document } = await fullTask()
    const operator = operatorAt(0)
    const begun = await operator.begin(task, never)
    expect(begun.requests).toHaveLength(3)
    expect(await open(operator, task, await relayed(begun, [1, 2, 3]))).toEqual(document)
    // Again, for a call that was repeated.
    expect(await operator.begin(task, never)).toEqual(begun)
    expect(await open(operator, task, await relayed(begun, [0, 1, 3]))).toEqual(document)
  })

  it('opens nothing with two of four, whichever', async () => {
    const { task } = await fullTask()
    const operator = operatorAt(0, createSharedOpenings(), identityOnly)
    const begun = await operator.begin(task, never)
    const partials = await relayed(begun, [0, 1, 2, 3])
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ] as const) {
      const two = partials.map((answers) => [answers[a]!, answers[b]!, answers[a]!])
      await expect(open(operator, task, two)).rejects.toMatchObject({
        message: 'Private data failed: 2 of 3 needed partial decryptions are valid',
        retryable: true,
      })
    }
    // Nor with the answers to another opener, of the same envelopes.
    const other = operatorAt(1, createSharedOpenings(), identityOnly)
    await other.begin(task, never)
    const wrong: string[] = []
    const asOther = open(other, task, partials, (members) => void wrong.push(...members))
    await expect(asOther).rejects.toThrow('0 of 3 needed')
    expect(wrong).toEqual(identities.map(({ address }) => address))
  })

  it('names members whose answer is invalid, and opens with the others', async () => {
    const { task, document } = await fullTask()
    const operator = operatorAt(0, createSharedOpenings(), identityOnly)
    const begun = await operator.begin(task, never)
    const [[a, ...others]] = (await relayed(begun, [0, 1, 2, 3])) as [SealedPartial[]]
    const broken = { ...a!, sealed: a!.sealed.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }
    const wrong: string[] = []
    const opened = await open(operator, task, [[broken, ...others]], (members) => {
      wrong.push(...members)
    })
    expect(opened).toMatchObject({ identity: document.identity })
    expect(wrong).toEqual([identities[0]!.address])
  })

  it('opens only what its policy uses', async () => {
    const { task, document } = await fullTask()
    const nothing = { identity: null, confidential: {}, privacy: {} }
    const cases: [PrivateUses, object][] = [
      [identityOnly, { identity: document.identity }],
      [
        { identity: false, confidential: ['blacklist', 'allowlist'], privacy: false },
        { confidential: document.confidential },
      ],
      [{ identity: false, confidential: ['allowlist'], privacy: false }, {}],
      [{ identity: false, confidential: [], privacy: true }, { privacy: document.privacy }],
    ]
    for (const [uses, expected] of cases) {
      const operator = operatorAt(0, createSharedOpenings(), uses)
      const begun = await operator.begin(task, never)
      expect(begun.requests).toHaveLength(Object.keys(expected).length)
      const opened = await open(operator, task, await relayed(begun, [1, 2, 3]))
      expect(opened).toEqual({ ...nothing, ...expected })
    }
  })

  it('is refused for the key of an envelope that somebody else sealed', async () => {
    const { task } = await fullTask()
    const [, identity] = task.envelopes as [string, string]
    const { enc, recipient_pubkey } = JSON.parse(identity) as Record<string, string>
    const own = JSON.parse(await sealed(publicKey, client, {})) as object
    const bid = JSON.stringify({ ...own, enc, recipient_pubkey })
    const { requests } = await operatorAt(0).begin({ ...task, privacy: { bid } }, never)
    const crafted = requests.find(({ envelope }) => envelope === bid)!
    for (const holder of holders)
      await expect(holder.open(crafted, never)).rejects.toThrow('no valid proof of its sealer')
  })

  it('fails for a copy of an envelope that somebody else registered', async () => {
    const { task } = await fullTask()
    const thief = userAccount()
    const [list, identity] = task.envelopes as [string, string]
    const block = world.mine({
      links: [linkOf(thief, identity)],
      sources: [sourceOf(list)],
    })
    const stolen = await taskAt(block, thief, { envelopes: task.envelopes })
    await expect(operatorAt(0).begin(stolen, never)).rejects.toThrow(
      `the envelope is sealed for ${user.address}, not ${thief.address}`,
    )
  })

  it('fails if the gateway withholds an envelope, or has begun nothing', async () => {
    const { task } = await fullTask()
    const [list, identity] = task.envelopes as [string, string]
    const without = (envelopes: string[]) => operatorAt(0).begin({ ...task, envelopes }, never)
    await expect(without([list])).rejects.toThrow(
      /the gateway has no identity data 0x[0-9a-f]{64}$/,
    )
    await expect(without([identity])).rejects.toThrow('the gateway has no confidential data')
    await expect(open(operatorAt(0), task, [])).rejects.toThrow('its openings were not begun')
  })

  it('has no identity without a user, and no data without grant or version', async () => {
    const { task } = await fullTask()
    const begunOf = async (of: OpeningTask, uses = all) => {
      const operator = operatorAt(0, createSharedOpenings(), uses)
      const { requests } = await operator.begin(of, never)
      expect(requests).toEqual([])
      return await open(operator, of, [])
    }
    const { intentSignature } = await taskAt(task.referenceBlock, userAccount())
    for (const of of [
      { ...task, intentSignature: null },
      { ...task, intentSignature },
    ])
      expect(await begunOf(of, identityOnly)).toMatchObject({ identity: null })
    const [list] = task.envelopes
    const block = world.mine({
      links: [linkOf(user, list!, { dataRefId: '' })],
      sources: [
        sourceOf(list!, { granted: false }),
        sourceOf(list!, { dataType: 'allowlist', dataRefId: '' }),
      ],
    })
    expect(await begunOf(await taskAt(block, user))).toEqual({
      identity: null,
      confidential: {
        blacklist: { granted: false, data: null },
        allowlist: { granted: true, data: null },
      },
      privacy: {},
    })
  })

  it('is refused by members once a grant was revoked, whatever its opener has seen', async () => {
    const { task } = await fullTask()
    const begun = await operatorAt(0).begin(task, never)
    world.mine({ links: [] })
    await expect(operatorAt(1).begin(task, never)).rejects.toThrow('the identity was revoked')
    const identity = begun.requests[0]!
    for (const holder of holders)
      await expect(holder.open(identity, never)).rejects.toThrow('the identity was revoked')
  })
})

describe('operators of one process', () => {
  it('share an opening, and each verifies the task itself', async () => {
    const { task, document } = await fullTask()
    const openings = createSharedOpenings()
    const [first, second, third] = [0, 1, 2].map((at) => operatorAt(at, openings))
    const begun = await Promise.all([first!.begin(task, never), second!.begin(task, never)])
    expect(begun[0]).toEqual(begun[1])
    const partials = await relayed(begun[0]!, [1, 2, 3])
    const opened = await Promise.all([first!, second!].map((each) => open(each, task, partials)))
    expect(opened).toEqual([document, document])
    await expect(open(third!, task, partials)).rejects.toThrow('its openings were not begun')
    openings.close()
    await expect(open(first!, task, partials)).rejects.toThrow('its openings were not begun')
  })

  it('leave no plaintext in their buffers, whether evaluations succeed or fail', async () => {
    const { task } = await fullTask()
    const openings = createSharedOpenings()
    const operators = [0, 1].map((at) => operatorAt(at, openings, identityOnly))
    const [begun] = await Promise.all(operators.map((each) => each.begin(task, never)))
    const partials = await relayed(begun!, [1, 2, 3])
    const seen: Uint8Array[] = []
    const uses = operators.map((each, at) =>
      each.open(task.taskId, { partials, onWrong: noWrong }, async (document) => {
        expect(Buffer.from(document).toString()).toContain('approved')
        seen.push(document, new Uint8Array(document.buffer))
        if (at === 1) throw new Error('evaluation failed')
      }),
    )
    expect((await Promise.allSettled(uses)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
    ])
    expect(seen).toHaveLength(4)
    for (const buffer of seen) expect(buffer.every((byte) => byte === 0)).toBe(true)
  })
})

describe('without threshold', () => {
  it('the privacy key of the process opens what the chain grants', async () => {
    const { key } = await createEncryptionKey()
    const { task, document } = await fullTask(key.publicKey)
    const own = (opener = singleKeyOpener(key, chainId)) =>
      privateDataOf({
        ...{
          chain: world.chain,
          openings: createSharedOpenings(),
          usesOf: async () => all,
          opener,
        },
      })
    const operator = own()
    expect(await operator.begin(task, never)).toEqual({ requests: [] })
    expect(await open(operator, task, [])).toEqual(document)
    await expect(own(noOpener).begin(task, never)).rejects.toThrow(
      'has no share of the privacy key',
    )
    const other = own(singleKeyOpener((await createEncryptionKey()).key, chainId))
    await other.begin(task, never)
    await expect(open(other, task, [])).rejects.toMatchObject({
      message: 'Private data failed: envelope was sealed to another key',
      retryable: false,
    })
    world.mine({ links: [] })
    await expect(own().begin(task, never)).rejects.toThrow('the identity was revoked')
  })
})
