import { type Address, type Hex, hashTypedData, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { type RunningAnvil, startAnvil } from './anvil.ts'
import { identityRegistryAbi } from './artifacts/abis.ts'
import { deployDataRegistries } from './deploy.ts'
import {
  type ClientUser,
  type IdentityLinkRequest,
  identityDomainOf,
  identityLink,
  identityRegistration,
  linkIdentity,
  readIdentityLinks,
  readLinkNonce,
  registerIdentityData,
  revokeLinks,
} from './identityRegistry.ts'
import { createTransactor, type Transactor } from './transactor.ts'

const person = devAccount(1)
const user = devAccount(2)
const stranger = devAccount(3)
/** A contract whose `isValidSignature` accepts only the digest itself as a signature (ERC-1271). */
const takesDigest: Hex = ('0x6018600c60003960186000f36064356004351463' +
  '1626ba7e60e01b0260005260206000f3') as Hex

let anvil: RunningAnvil
/** Owner and gateway of the registry, and no party of any link. */
let sender: Transactor
let byPerson: Transactor
let byUser: Transactor
let registry: Address

beforeAll(async () => {
  anvil = await startAnvil()
  const of = (account: typeof person) => createTransactor({ rpcUrl: anvil.url, account })
  sender = await of(devAccount(0))
  byPerson = await of(person)
  byUser = await of(user)
  const deployed = await deployDataRegistries(sender, { gateway: sender.account.address })
  registry = deployed.identityRegistry
})
afterAll(() => anvil.stop())

const domains = (from: number, count: number): readonly Hex[] =>
  Array.from({ length: count }, (_, i) => numberToHex(from + i, { size: 32 }))
const [first, second, third] = domains(1, 3) as [Hex, Hex, Hex]

let clients = 0
/** Of a policy client that no other test uses. */
const newLink = (change: Partial<IdentityLinkRequest> = {}): IdentityLinkRequest => ({
  identityOwner: person.address,
  policyClient: numberToHex(++clients, { size: 20 }),
  clientUser: user.address,
  identityDomains: [first],
  deadline: 1n << 40n,
  ...change,
})

const typedData = (link: IdentityLinkRequest, nonce: bigint) => ({
  domain: identityDomainOf(31_337, registry),
  ...identityLink,
  message: { ...link, nonce },
})

async function signatureOf(link: IdentityLinkRequest, account: typeof person) {
  const nonce = await readLinkNonce(sender.client, registry, account.address)
  return account.signTypedData(typedData(link, nonce))
}

const signed = async (link: IdentityLinkRequest, [owner, other] = [person, user]) => ({
  ...link,
  ownerSignature: await signatureOf(link, owner!),
  userSignature: await signatureOf(link, other!),
})

const send = (link: Parameters<typeof linkIdentity>[2]) => linkIdentity(sender, registry, link)
const links = (of: ClientUser, blockNumber?: bigint) =>
  readIdentityLinks(sender.client, registry, { ...of, blockNumber })
const linked = async (of: ClientUser, blockNumber?: bigint) =>
  (await links(of, blockNumber)).map(({ identityDomain }) => identityDomain).sort()
const refused = (errorName: string) => ({ name: 'ChainWriteError', errorName })

describe('a link', () => {
  it('is made with the EIP-712 signatures of both, and has the reference bound at the block', async () => {
    const link = newLink({ identityDomains: [first, second] })
    const { identityOwner, policyClient, clientUser, identityDomains, deadline } = link
    const digest = await sender.client.readContract({
      address: registry,
      abi: identityRegistryAbi,
      functionName: 'linkDigest',
      args: [identityOwner, policyClient, clientUser, identityDomains, 7n, deadline],
    })
    expect(digest).toBe(hashTypedData(typedData(link, 7n)))

    const { blockNumber } = await send(await signed(link))
    const empty = { identityOwner, dataRefId: '' }
    const unbound = identityDomains.map((identityDomain) => ({ identityDomain, ...empty }))
    expect(await links(link)).toEqual(unbound)
    await register(first, 'reference')
    expect(await links(link)).toEqual([{ ...unbound[0], dataRefId: 'reference' }, unbound[1]])
    expect(await links(link, blockNumber)).toEqual(unbound)
    expect(await links(link, blockNumber - 1n)).toEqual([])
    expect(await links({ ...link, clientUser: stranger.address })).toEqual([])
    expect(await links(newLink())).toEqual([])
  })

  it('needs one signature where the owner is the user', async () => {
    const link = newLink({ clientUser: person.address })
    const nonce = await readLinkNonce(sender.client, registry, person.address)
    await send({ ...link, ownerSignature: await signatureOf(link, person), userSignature: '0x' })
    expect(await linked(link)).toEqual([first])
    expect(await readLinkNonce(sender.client, registry, person.address)).toBe(nonce + 1n)
  })

  it('is signed by contracts too, and by the key of an account with code', async () => {
    const { address } = await sender.create(takesDigest)
    const owned = newLink({ identityOwner: address })
    await send({
      ...owned,
      ownerSignature: hashTypedData(typedData(owned, 0n)),
      userSignature: await signatureOf(owned, user),
    })
    const used = newLink({ clientUser: address })
    const ownerSignature = await signatureOf(used, person)
    const ofOldNonce = hashTypedData(typedData(used, 0n))
    await expect(
      send({ ...used, ownerSignature, userSignature: ofOldNonce }),
    ).rejects.toMatchObject(refused('InvalidLinkSignature'))
    const userSignature = hashTypedData(typedData(used, 1n))
    await send({ ...used, ownerSignature, userSignature })
    expect([await linked(owned), await linked(used)]).toEqual([[first], [first]])

    // Code that an account with a key delegates to (EIP-7702): here it knows no ERC-1271.
    const code = { address: stranger.address, code: '0x600080fd' }
    await sender.client.request({
      method: 'anvil_setCode',
      params: [code.address, code.code],
    } as never)
    const delegated = newLink({ clientUser: stranger.address })
    await send(await signed(delegated, [person, stranger]))
    expect(await linked(delegated)).toEqual([first])
  })

  it('is refused unless both signed exactly it, in their roles, in time', async () => {
    const link = newLink({ identityDomains: [first, second] })
    const good = await signed(link)
    const nonce = await readLinkNonce(sender.client, registry, user.address)
    const ahead = await user.signTypedData(typedData(link, nonce + 1n))
    const elsewhere = await user.signTypedData({
      ...typedData(link, nonce),
      domain: identityDomainOf(31_337, stranger.address),
    })
    const changes: Readonly<Record<string, Partial<typeof good>>> = {
      'owner did not sign': { ownerSignature: good.userSignature },
      'user did not sign': { userSignature: good.ownerSignature },
      'no signature of the owner': { ownerSignature: '0x' },
      'no signature of the user': { userSignature: '0x' },
      'roles are exchanged': { identityOwner: user.address, clientUser: person.address },
      'another client': { policyClient: stranger.address },
      'another user': { clientUser: stranger.address },
      'no user': { clientUser: numberToHex(0, { size: 20 }) },
      'a domain more': { identityDomains: [first, second, third] },
      'a domain less': { identityDomains: [first] },
      'another order': { identityDomains: [second, first] },
      'another deadline': { deadline: link.deadline + 1n },
      'a later nonce': { userSignature: ahead },
      'another registry': { userSignature: elsewhere },
    }
    for (const [name, change] of Object.entries(changes))
      await expect(send({ ...good, ...change }), name).rejects.toMatchObject(
        refused('InvalidLinkSignature'),
      )
    const { timestamp } = await sender.client.getBlock()
    await expect(send(await signed({ ...link, deadline: timestamp - 1n }))).rejects.toMatchObject(
      refused('LinkExpired'),
    )
    await send(good)
    expect(await linked(link)).toEqual([first, second])
  })

  it('has 1 to 50 domains, each once, and a user at a client has 50 links', async () => {
    const link = newLink({ identityDomains: domains(1, 50) })
    for (const identityDomains of [domains(1, 51), []])
      await expect(send(await signed({ ...link, identityDomains }))).rejects.toMatchObject(
        refused('InvalidDomainCount'),
      )
    const twice = await signed({ ...link, identityDomains: [first, first] })
    await expect(send(twice)).rejects.toMatchObject(refused('AlreadyLinked'))
    await send(await signed(link))
    expect(await linked(link)).toEqual(domains(1, 50))
    const another = await signed({ ...link, identityDomains: domains(51, 1) })
    await expect(send(another)).rejects.toMatchObject(refused('TooManyLinks'))
    for (const identityDomains of [domains(1, 51), []])
      await expect(
        revokeLinks(byUser, registry, { ...link, identityDomains }),
      ).rejects.toMatchObject(refused('InvalidDomainCount'))
    await revokeLinks(byUser, registry, link)
    expect(await linked(link)).toEqual([])
  })

  it('is not replaced, not even by that to another owner', async () => {
    const link = newLink()
    await send(await signed(link))
    const other = { ...link, identityOwner: user.address }
    for (const [next, signers] of [
      [link, [person, user]],
      [other, [user, user]],
    ] as const)
      await expect(send(await signed(next, [...signers]))).rejects.toMatchObject(
        refused('AlreadyLinked'),
      )
  })
})

describe('a revocation', () => {
  it('is in force from its block on, and not before', async () => {
    const link = newLink({ identityDomains: [first, second, third] })
    await send(await signed(link))
    const change = { ...link, identityDomains: [first] }
    const { blockNumber } = await revokeLinks(byUser, registry, change)
    expect(await linked(link, blockNumber - 1n)).toEqual([first, second, third])
    expect(await linked(link, blockNumber)).toEqual([second, third])
    await revokeLinks(byPerson, registry, { ...link, identityDomains: [third, second] })
    expect(await linked(link)).toEqual([])
  })

  it('is by the user or the identity owner of each link', async () => {
    const link = newLink()
    await send(await signed(link))
    await expect(revokeLinks(sender, registry, link)).rejects.toMatchObject(
      refused('NotPartyOfLink'),
    )
    // The owner of one of two links revokes none, if it names both.
    const own = { ...link, identityOwner: user.address, identityDomains: [second] }
    await send(await signed(own, [user, user]))
    const both = { ...link, identityDomains: [first, second] }
    await expect(revokeLinks(byPerson, registry, both)).rejects.toMatchObject(
      refused('NotPartyOfLink'),
    )
    expect(await linked(link)).toEqual([first, second])
  })

  it('is final for the signatures of the link', async () => {
    for (const [name, party] of [
      ['user', byUser],
      ['identity owner', byPerson],
    ] as const) {
      const used = await signed(newLink())
      await send(used)
      await expect(send(used), name).rejects.toMatchObject(refused('InvalidLinkSignature'))
      await revokeLinks(party, registry, used)
      await expect(send(used), name).rejects.toMatchObject(refused('InvalidLinkSignature'))
      // A link that was signed, and not sent before it was revoked.
      const kept = await signed(newLink())
      await revokeLinks(party, registry, kept)
      await expect(send(kept), name).rejects.toMatchObject(refused('InvalidLinkSignature'))
      await send(await signed(kept))
      expect(await linked(kept)).toEqual([first])
    }
  })

  it('by somebody else does not invalidate signatures', async () => {
    const link = await signed(newLink())
    await revokeLinks(sender, registry, link)
    await send(link)
    expect(await linked(link)).toEqual([first])
  })
})

it('links cannot be read at an address without a registry', async () => {
  await expect(readIdentityLinks(sender.client, stranger.address, newLink())).rejects.toMatchObject(
    { name: 'ChainReadError' },
  )
})

async function register(identityDomain: Hex, dataRefId: string): Promise<void> {
  const message = {
    ...{ identityOwner: person.address, identityDomain, dataRefId },
    deadline: 1n << 40n,
  }
  const domain = identityDomainOf(31_337, registry)
  const gatewaySignature = await sender.account.signTypedData({
    ...{ domain, ...identityRegistration, message },
  })
  await registerIdentityData(byPerson, registry, { ...message, gatewaySignature })
}
