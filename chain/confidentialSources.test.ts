import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { type RunningAnvil, startAnvil } from './anvil.ts'
import { confidentialDataRegistryAbi, sampleClientAbi } from './artifacts/abis.ts'
import {
  grantAccess,
  publishData,
  readConfidentialSources,
  registerProvider,
  removeProvider,
  removeSource,
  revokeAccess,
  type SourceChoice,
  setSource,
} from './confidentialDataRegistry.ts'
import { deployDataRegistries, deployPolicyClient } from './deploy.ts'
import { createTransactor, type Transactor } from './transactor.ts'

const domain: Hex = `0x${'0d'.repeat(32)}`
const elsewhere: Hex = `0x${'0e'.repeat(32)}`
const provider = devAccount(3).address

let anvil: RunningAnvil
/** Owns the registry. */
let owner: Transactor
/** Owns the policy clients. */
let author: Transactor
let byProvider: Transactor
let registry: Address

beforeAll(async () => {
  anvil = await startAnvil()
  const of = (position: number) =>
    createTransactor({ rpcUrl: anvil.url, account: devAccount(position) })
  owner = await of(0)
  author = await of(1)
  byProvider = await of(3)
  const deployed = await deployDataRegistries(owner, { gateway: owner.account.address })
  registry = deployed.confidentialDataRegistry
  await registerProvider(owner, registry, { provider, dataType: 'blacklist' })
})
afterAll(() => anvil.stop())

const newClient = (clientOwner = author.account.address) =>
  deployPolicyClient(author, { taskManager: zeroAddress }, { kind: 'sample', owner: clientOwner })
const choiceOf = (client: Address, change: Partial<SourceChoice> = {}): SourceChoice => ({
  ...{ client, dataType: 'blacklist', provider, domain },
  ...change,
})
const sources = (policyClient: Address, blockNumber?: bigint) =>
  readConfidentialSources(owner.client, registry, { policyClient, blockNumber })
const publish = (dataRefId: string) => publishData(byProvider, registry, { domain, dataRefId })
const latest = () =>
  owner.client.readContract({
    address: registry,
    abi: confidentialDataRegistryAbi,
    functionName: 'latestOf',
    args: [provider, domain],
  })
const refused = (errorName: string) => ({ name: 'ChainWriteError', errorName })

describe('a source of confidential data', () => {
  it('has the version published last and the grant in force, as of each block', async () => {
    const client = await newClient()
    expect(await sources(client)).toEqual([])
    await setSource(author, registry, choiceOf(client))
    const chosen = { dataType: 'blacklist', provider, domain }
    const nothing = { ...chosen, version: 0, dataRefId: '', granted: false }
    expect(await sources(client)).toEqual([nothing])
    const atFirst = await publish('first')
    const withFirst = { ...nothing, version: 1, dataRefId: 'first' }
    expect(await sources(client)).toEqual([withFirst])

    const elsewhereOnly = await grantAccess(byProvider, registry, { client, domain: elsewhere })
    await grantAccess(byProvider, registry, { client: await newClient(), domain })
    expect((await sources(client))[0]?.granted).toBe(false)
    const granted = await grantAccess(byProvider, registry, { client, domain })
    const second = await publish('second')
    const withSecond = { ...chosen, version: 2, dataRefId: 'second', granted: true }
    expect(await sources(client)).toEqual([withSecond])
    const revoked = await revokeAccess(byProvider, registry, { client, domain })

    expect(await sources(client, revoked.blockNumber)).toEqual([{ ...withSecond, granted: false }])
    expect(await sources(client, revoked.blockNumber - 1n)).toEqual([withSecond])
    expect(await sources(client, second.blockNumber)).toEqual([withSecond])
    expect(await sources(client, granted.blockNumber)).toEqual([{ ...withFirst, granted: true }])
    expect(await sources(client, elsewhereOnly.blockNumber)).toEqual([withFirst])
    expect(await sources(client, atFirst.blockNumber - 1n)).toEqual([nothing])
  })

  it('is set and removed by the current owner of the client alone', async () => {
    const client = await newClient()
    for (const other of [byProvider, owner])
      await expect(setSource(other, registry, choiceOf(client))).rejects.toMatchObject(
        refused('NotClientOwner'),
      )
    await setSource(author, registry, choiceOf(client))
    await author.write({
      ...{ address: client, abi: sampleClientAbi, functionName: 'setOwner' },
      args: [owner.account.address],
    })
    const removal = { client, dataType: 'blacklist' }
    await expect(removeSource(author, registry, removal)).rejects.toMatchObject(
      refused('NotClientOwner'),
    )
    expect(await sources(client)).toHaveLength(1)
    await removeSource(owner, registry, removal)
    expect(await sources(client)).toEqual([])
  })

  it('is not set for what has no owner: such a client, another contract, an account', async () => {
    const clients = [await newClient(zeroAddress), registry, author.account.address]
    for (const client of clients)
      await expect(setSource(author, registry, choiceOf(client))).rejects.toMatchObject(
        refused('NotClientOwner'),
      )
  })

  it('is of the type of the provider', async () => {
    const client = await newClient()
    const wrong = [{ dataType: 'allowlist' }, { dataType: '' }, { provider: registry }]
    for (const change of wrong)
      await expect(setSource(author, registry, choiceOf(client, change))).rejects.toMatchObject(
        refused('ProviderOfAnotherType'),
      )
  })

  it('is one for each of 8 types', async () => {
    const client = await newClient()
    const choices = Array.from({ length: 9 }, (_, i) =>
      choiceOf(client, {
        dataType: `type ${i}`,
        provider: numberToHex(0x1000 + i, { size: 20 }),
      }),
    )
    for (const [i, choice] of choices.entries()) {
      await registerProvider(owner, registry, choice)
      if (i < 8) await setSource(author, registry, choice)
    }
    const types = async () => (await sources(client)).map(({ dataType }) => dataType).sort()
    const eight = choices.slice(0, 8).map(({ dataType }) => dataType)
    expect(await types()).toEqual(eight)
    await expect(setSource(author, registry, choices[8]!)).rejects.toMatchObject(
      refused('TooManySources'),
    )
    await setSource(author, registry, { ...choices[3]!, domain: elsewhere })
    expect(await types()).toEqual(eight)
    expect((await sources(client)).map((each) => each.domain).sort()).toEqual(
      [...Array<Hex>(7).fill(domain), elsewhere].sort(),
    )
    // The last, one in the middle, and one that is gone.
    for (const dataType of ['type 7', 'type 0'])
      await removeSource(author, registry, { client, dataType })
    expect(await types()).toEqual(eight.slice(1, 7))
    await expect(
      removeSource(author, registry, { client, dataType: 'type 0' }),
    ).rejects.toMatchObject(refused('SourceNotSet'))
    await setSource(author, registry, choices[8]!)
    expect(await types()).toEqual([...eight.slice(1, 7), 'type 8'])
  })
})

describe('a provider', () => {
  it('publishes references of 1 to 128 bytes, and revokes what it granted', async () => {
    for (const dataRefId of ['', 'é'.repeat(64).concat('x')])
      await expect(publish(dataRefId)).rejects.toMatchObject(refused('InvalidDataRefId'))
    await publish('é'.repeat(64))
    expect((await latest())[1]).toBe('é'.repeat(64))
    const access = { client: registry, domain }
    await expect(revokeAccess(byProvider, registry, access)).rejects.toMatchObject(
      refused('NotGranted'),
    )
    const calls = [
      publishData(author, registry, { domain, dataRefId: 'any' }),
      grantAccess(author, registry, access),
      revokeAccess(author, registry, access),
    ]
    await Promise.all(
      calls.map((call) => expect(call).rejects.toMatchObject(refused('NotProvider'))),
    )
  })

  it('that is removed has published and granted nothing, also when it is registered again', async () => {
    const client = await newClient()
    await setSource(author, registry, choiceOf(client))
    await grantAccess(byProvider, registry, { client, domain })
    await publish('before')
    const [before] = await sources(client)
    expect(before).toMatchObject({ dataRefId: 'before', granted: true })
    const nothing = { ...before, version: 0, dataRefId: '', granted: false }

    await removeProvider(owner, registry, provider)
    expect(await sources(client)).toEqual([nothing])
    expect(await latest()).toEqual([0, ''])
    await expect(publish('removed')).rejects.toMatchObject(refused('NotProvider'))

    // With another type, what it publishes and grants is not for the source of the first.
    await registerProvider(owner, registry, { provider, dataType: 'allowlist' })
    expect(await sources(client)).toEqual([nothing])
    await publish('of another type')
    await grantAccess(byProvider, registry, { client, domain })
    expect(await sources(client)).toEqual([nothing])

    await removeProvider(byProvider, registry, provider)
    await registerProvider(owner, registry, { provider, dataType: 'blacklist' })
    expect(await sources(client)).toEqual([nothing])
    await publish('again')
    await grantAccess(byProvider, registry, { client, domain })
    const version = before!.version + 2
    expect(await sources(client)).toEqual([{ ...before, version, dataRefId: 'again' }])
  })
})

it('sources cannot be read at an address without a registry', async () => {
  await expect(
    readConfidentialSources(owner.client, provider, { policyClient: provider }),
  ).rejects.toMatchObject({ name: 'ChainReadError', code: 'no-contract' })
})
