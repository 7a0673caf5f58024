import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEncryptionKey } from '../envelopes/encryptionKey.ts'
import { approveGrants } from './approveGrants.ts'
import { checkGrant } from './checkGrant.ts'
import { claimOf, type Grant } from './grant.ts'
import {
  chainId,
  client,
  domain,
  grantWorld,
  idOf,
  linkOf,
  never,
  provider,
  sealed,
  signedBy,
  signingDomain,
  sourceOf,
  taskAt,
  userAccount,
} from './grants.fixture.ts'

const user = userAccount()
const other = `0x${'99'.repeat(20)}` as const
const otherDomain = `0x${'99'.repeat(32)}` as const

let world: ReturnType<typeof grantWorld>
let block: number
let envelopes: Record<'identity' | 'confidential' | 'ephemeral' | 'stale' | 'elsewhere', string>
let grants: Record<'identity' | 'confidential' | 'ephemeral', Grant>

beforeAll(async () => {
  const { publicKey } = (await createEncryptionKey()).key
  envelopes = {
    identity: await sealed(publicKey, user.address, { status: 'approved' }),
    confidential: await sealed(publicKey, provider, { entries: [] }),
    ephemeral: await sealed(publicKey, client, { bid: 1 }),
    stale: await sealed(publicKey, provider, { entries: ['0x'] }),
    elsewhere: await sealed(publicKey, client, {}, 1),
  }
  world = grantWorld(3)
  block = world.mine({
    links: [linkOf(user, envelopes.identity)],
    sources: [sourceOf(envelopes.confidential)],
  })
  const { envelopes: _, privacy: __, ...task } = { ...(await taskAt(block, user)), chainId }
  grants = {
    identity: { kind: 'identity', ...task, domain },
    confidential: { kind: 'confidential', ...task, provider, domain, dataType: 'blacklist' },
    ephemeral: { kind: 'ephemeral', ...task },
  }
})

type Kind = keyof typeof grants
const check = (kind: Kind, change: object = {}, envelope = envelopes[kind], chain = world.chain) =>
  checkGrant(chain, { grant: { ...grants[kind], ...change } as Grant, envelope }, never)
const kinds = ['identity', 'confidential', 'ephemeral'] as const

describe('a grant', () => {
  it.each(kinds)('of %s data is accepted, from any case of hex', async (kind) => {
    await check(kind)
    await check(kind, { policyClient: client.toUpperCase().replace('0X', '0x') })
  })

  it.each(kinds)('of %s data is refused for another task', async (kind) => {
    for (const change of [
      { taskId: `0x${'00'.repeat(32)}` },
      { nonce: 1 },
      { referenceBlock: 0 },
      { policyClient: other },
      { intent: { ...grants[kind].intent, value: '0x2' } },
    ])
      await expect(check(kind, change)).rejects.toThrow('the task id is that of another task')
    await expect(check(kind, { chainId: 1 })).rejects.toThrow('for chain 1, not 31337')
    const future = { referenceBlock: 9, taskId: idOf(9) }
    await expect(check(kind, future)).rejects.toThrow('does not have block 9 yet')
    await expect(check(kind, {}, envelopes.elsewhere)).rejects.toThrow('for another chain')
  })

  it.each(kinds)('of %s data is refused once its block is too old', async (kind) => {
    const aged = { ...world.chain, latestBlock: async () => block + 4 }
    await expect(check(kind, {}, envelopes[kind], aged)).rejects.toMatchObject({
      message: `operator refuses: block ${block} is 4 blocks old`,
      retryable: true,
    })
    await check(kind, {}, envelopes[kind], { ...aged, latestBlock: async () => block + 3 })
  })

  it('of an identity is refused for another user, domain and envelope', async () => {
    const byOther = { intentSignature: await signedBy(userAccount()) }
    await expect(check('identity', byOther)).rejects.toThrow('has linked no such identity')
    const elsewhere = { intentSignature: await signedBy(user, { ...signingDomain, name: 'Other' }) }
    await expect(check('identity', elsewhere)).rejects.toThrow('has linked no such identity')
    for (const intentSignature of [null, `0x${'00'.repeat(65)}`])
      await expect(check('identity', { intentSignature })).rejects.toThrow('no account has signed')
    await expect(check('identity', { domain: otherDomain })).rejects.toThrow('no such identity')
    await expect(check('identity', {}, envelopes.stale)).rejects.toThrow('is not the bound one')
    const without = {
      ...world.chain,
      contextAt: async () => ({ policyClient: client }) as never,
    }
    await expect(check('identity', {}, envelopes.identity, without)).rejects.toThrow(
      'no signing domain',
    )
  })

  it('of an identity is refused for a copy that somebody else registered', async () => {
    const thief = userAccount()
    // Other bytes, so that the gateway stores it under another reference.
    for (const copy of [`${envelopes.identity} `, envelopes.identity]) {
      const at = world.mine({ links: [linkOf(user, envelopes.identity), linkOf(thief, copy)] })
      const { envelopes: _, privacy: __, ...task } = await taskAt(at, thief)
      await expect(check('identity', task, copy)).rejects.toThrow('is of another identity owner')
    }
  })

  it('of confidential data is refused for another source, version and sealer', async () => {
    const refused = (change: object, message: string) =>
      expect(check('confidential', change)).rejects.toThrow(message)
    await refused({ dataType: 'allowlist' }, 'has set no such source')
    await refused({ provider: other }, 'has set another source')
    await refused({ domain: otherDomain }, 'has set another source')
    await expect(check('confidential', {}, envelopes.stale)).rejects.toThrow('published version')
    const said = (change: object) => {
      const source = { ...sourceOf(envelopes.confidential), ...change }
      return { ...world.chain, confidentialSources: async () => [source] }
    }
    const as = (change: object, envelope = envelopes.confidential) =>
      check('confidential', {}, envelope, said(change))
    await as({})
    await expect(as({ granted: false })).rejects.toThrow('has not granted its data')
    await expect(as({ dataRefId: '' })).rejects.toThrow('not the published version')
    const { ephemeral } = envelopes
    const { dataRefId } = sourceOf(ephemeral)
    await expect(as({ dataRefId }, ephemeral)).rejects.toThrow('of another provider')
  })

  it('of ephemeral data is refused for an envelope of another client', async () => {
    await expect(check('ephemeral', {}, envelopes.confidential)).rejects.toThrow(
      'for another client',
    )
  })

  it('is refused from the block of a revocation on, and for blocks before it was given', async () => {
    const own = grantWorld()
    const before = own.mine()
    const given = own.mine({
      links: [linkOf(user, envelopes.identity)],
      sources: [sourceOf(envelopes.confidential)],
    })
    const askedAt = async (at: number, kind: Kind) => {
      const change = { referenceBlock: at, taskId: idOf(at) }
      return await check(kind, change, envelopes[kind], own.chain)
    }
    await expect(askedAt(before, 'identity')).rejects.toThrow('no such identity')
    await expect(askedAt(before, 'confidential')).rejects.toThrow('no such source')
    await askedAt(given, 'identity')
    await askedAt(given, 'confidential')
    const revoked = own.mine({
      links: [],
      sources: [sourceOf(envelopes.confidential, { granted: false })],
    })
    await expect(askedAt(given, 'identity')).rejects.toThrow('link of the identity was revoked')
    await expect(askedAt(given, 'confidential')).rejects.toThrow(
      'grant of the provider was revoked',
    )
    await expect(askedAt(revoked, 'identity')).rejects.toThrow('no such identity')
    await expect(askedAt(revoked, 'confidential')).rejects.toThrow('has not granted')
    // The same domain, of another owner, is another identity.
    own.mine({ links: [linkOf(user, envelopes.identity, { identityOwner: other })] })
    await expect(askedAt(given, 'identity')).rejects.toThrow('link of the identity was revoked')
  })
})

describe('a member', () => {
  const opener = `0x${'aa'.repeat(20)}` as const

  it('reads the grant from the claim', async () => {
    const approve = approveGrants(world.chain)
    const ask = (claim: string) => approve({ opener, envelope: envelopes.identity, claim })
    expect(await ask(claimOf(grants.identity))).toBe(true)
    const marker = randomBytes(8).toString('hex')
    for (const claim of [
      ...['', marker, '{}', 'null'],
      JSON.stringify({ ...grants.identity, kind: marker }),
      JSON.stringify({ ...grants.identity, domain: undefined }),
      JSON.stringify({ ...grants.identity, more: marker }),
    ])
      await expect(ask(claim)).rejects.toSatisfy(
        (error: Error) => error.name !== 'TypeError' && !error.message.includes(marker),
      )
  })

  it('answers each opener a few times for one task and envelope', async () => {
    const approve = approveGrants(world.chain)
    const ask = (by: typeof opener, kind: Kind = 'identity') =>
      approve({ opener: by, envelope: envelopes[kind], claim: claimOf(grants[kind]) })
    for (let times = 0; times < 4; times++) await ask(opener)
    await expect(ask(opener)).rejects.toThrow('has answered 0xaa')
    await expect(ask(opener.toUpperCase().replace('0X', '0x') as never)).rejects.toThrow('answered')
    expect(await ask(other)).toBe(true)
    expect(await ask(opener, 'ephemeral')).toBe(true)
  })
})
