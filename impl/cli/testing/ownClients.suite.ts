import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setPolicy } from 'polgate-client/index.ts'
import { describe, expect, test } from 'vitest'
import type { AuthorStack } from './authorStack.ts'
import { clientTools } from './clientTools.ts'
import type { ContractsWorld } from './contractsWorld.ts'
import { guideBlocks } from './guideBlocks.ts'

const text = (...path: readonly string[]) => readFile(join(...path), 'utf8')

/** Policy clients of users with setters of other names. */
export function ownClientsSuite(author: () => AuthorStack, world: () => ContractsWorld): void {
  const { compiledAs, packageOf, published, createTask, walletOf, deployed } = clientTools(
    author,
    world,
  )

  const rego = `package policy
default allow := false
allow if input.value <= data.params.most
`
  /** A description for each way in which contracts of others are given their policy. */
  const foreign = {
    ConfiguredClient: `  constructorArguments: { admin: $owner, manager: $taskManager }
  setPolicy: "configurePolicy(address,(bytes,uint32))"`,
    TwoStepClient: `  constructorArguments: { owner: "0x00000000000000000000000000000000000000ff" }
  setPolicy:
    - setPolicy(address)
    - { function: updatePolicyParams, arguments: [$expireAfter, $params] }`,
    // That of the guide.
    InitializedClient: undefined,
  } as const

  describe.each(Object.entries(foreign))(
    'a client with setters of its own: %s',
    (contract, described) => {
      test('is published, spends, and gets other parameters by its setters', async () => {
        const [, ofGuide = ''] = await guideBlocks('yaml')
        const client = described ?? ofGuide.replace(/^client:\n.*\n/, '')
        const yaml = (lines: string) =>
          `name: own\npolicy: policy.rego\nparams: params.json\nclient:\n  contract: ${contract}.json\n${lines}\n`
        const files = {
          'policy.yaml': yaml(client),
          'policy.rego': rego,
          'params.json': '{"most": 10}',
        }
        const directory = await packageOf(contract, contract, files)
        const first = await published(directory, '--fund', '1ether')
        expect(first.transactions).toBe(contract === 'InitializedClient' ? 4 : 3)
        const allowed = await createTask(directory, '7')
        expect([allowed.code, allowed.stderr]).toEqual([0, ''])
        const { taskId } = JSON.parse(allowed.stdout)
        const spent = await author().run('task', 'spend', taskId, '--function', 'spend', '--json')
        expect([spent.code, spent.stderr]).toEqual([0, ''])
        await writeFile(join(directory, 'params.json'), '{"most": 5}')
        const second = await published(directory)
        expect(second).toMatchObject({
          client: first.client,
          policy: first.policy,
          transactions: 1,
        })
        expect(second.policyId).not.toBe(first.policyId)
        expect((await createTask(directory, '7')).code).toBe(1)

        if (contract === 'InitializedClient') await resumed(directory, first)
        // Where it cannot work, nothing is sent.
        const wrong = client.replace(/configurePolicy|setPolicy\(|useConfig/, (name) => `no${name}`)
        await writeFile(join(directory, 'policy.yaml'), yaml(wrong))
        const sent = () =>
          world().client.getTransactionCount({ address: walletOf('owner').account.address })
        const before = await sent()
        const refused = await author().run('policy', 'publish', directory)
        expect(refused.code).toBe(2)
        expect(refused.stderr).toMatch(/policy\.yaml:\d+:\d+ The contract has no function no\w+/)
        expect(refused.stderr).toMatch(/Functions that change it: .*\(/)
        expect(await sent()).toBe(before)
      })
    },
  )

  /** An interruption between deployment and initialization. */
  async function resumed(
    directory: string,
    { client }: { readonly client: string },
  ): Promise<void> {
    const copy = `${directory}-resumed`
    await cp(directory, copy, { recursive: true })
    const contractAddress = await deployed('InitializedClient', [])
    const file = join(copy, '.published.json')
    await writeFile(file, (await text(file)).replaceAll(client, contractAddress))
    const plan = await author().run('policy', 'publish', copy, '--dry-run')
    expect(plan.stdout).toMatch(/initialize of the client.*\n.*useConfig of the client/)
    const again = await published(copy)
    expect(again).toMatchObject({ transactions: 2 })
    expect(again.client.toLowerCase()).toBe(contractAddress.toLowerCase())
  }

  test('a client that is deployed already gets its policy from its owner alone', async () => {
    const { chain, accounts, clients } = author().stack.description
    const files = {
      'policy.yaml': `name: own\npolicy: policy.rego\nparams: params.json\nclient:\n  contract: ConfiguredClient.json\n${foreign.ConfiguredClient}\n`,
      'policy.rego': rego,
      'params.json': '{"most": 10}',
    }
    const directory = await packageOf('deployed', 'ConfiguredClient', files)
    const owner = accounts.owner.address
    const address = await deployed('ConfiguredClient', [owner, chain.taskManager])
    const others = await deployed('ConfiguredClient', [accounts.sender.address, chain.taskManager])
    for (const [client, reason] of [
      ['0x12', "--client '0x12' is not an address"],
      [others, `the owner of ${others} is ${accounts.sender.address.toLowerCase()}`],
      [chain.taskManager, 'is not a policy client'],
      [accounts.recipient.address, 'is not a policy client'],
    ] as const) {
      const refused = await author().run('policy', 'publish', directory, '--client', client)
      expect([client, refused.code, refused.stdout]).toEqual([client, 2, ''])
      expect(refused.stderr.toLowerCase()).toContain(reason.toLowerCase())
    }
    const first = await published(directory, '--client', address)
    expect(first).toMatchObject({ client: expect.stringMatching(new RegExp(address, 'i')) })
    expect(first.transactions).toBe(2)
    expect(await published(directory)).toMatchObject({ client: first.client, transactions: 0 })
    expect((await createTask(directory, '0')).code).toBe(0)
    const sample = join(world().folder, 'treasury')
    const { policyClient } = clients.cap!
    const given = await author().run(
      'policy',
      'publish',
      sample,
      '--client',
      policyClient,
      '--dry-run',
    )
    expect([given.code, given.stdout]).toEqual([
      0,
      expect.stringContaining(`setPolicy of ${policyClient}`),
    ])
  })

  test('the SDK sets a policy by any function, and refuses what the contract does not have', async () => {
    const { publications } = JSON.parse(
      await text(world().folder, 'ConfiguredClient', '.published.json'),
    )
    const [
      {
        policy,
        client: { address: policyClient },
      },
    ] = publications
    const options = {
      ...{ walletClient: walletOf('owner'), policyClient, policy },
      ...{ policyParams: '{"most": 9}', expireAfter: 77, abi: compiledAs('ConfiguredClient').abi },
    }
    const [receipt] = await setPolicy({ ...options, calls: 'configurePolicy' })
    expect(receipt?.status).toBe('success')
    const { client } = world()
    const read = { address: policyClient, abi: options.abi, functionName: 'getPolicyConfig' }
    expect(await client.readContract(read)).toMatchObject({ expireAfter: 77 })
    await expect(setPolicy(options)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      hint: expect.stringContaining('configurePolicy(address,(bytes,uint32))'),
    })
    const walletClient = walletOf('sender')
    const treasury = JSON.parse(await text(world().folder, 'treasury', '.published.json'))
      .publications[0]
    await expect(
      setPolicy({ walletClient, policyClient: treasury.client.address, policy }),
    ).rejects.toMatchObject({ code: 'CONTRACT_ERROR', errorName: 'NotOwner' })
  })
}
