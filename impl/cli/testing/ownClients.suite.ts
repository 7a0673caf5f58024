import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { abiOf } from 'polgate-chain/artifact.ts'
import { customErrorsAbi } from 'polgate-chain/artifacts/abis.ts'
import {
  attestationArguments,
  createServiceClient,
  setPolicy,
  spendAttestation,
} from 'polgate-client/index.ts'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { AuthorStack } from './authorStack.ts'
import type { CompiledContract } from './compileContracts.ts'
import type { ContractsWorld } from './contractsWorld.ts'
import { guideBlocks } from './guideBlocks.ts'

const text = (...path: readonly string[]) => readFile(join(...path), 'utf8')

/** Policy clients of users: that of the guide, and some with setters of other names. */
export function ownClientsSuite(author: () => AuthorStack, world: () => ContractsWorld): void {
  const compiledAs = (name: string): CompiledContract =>
    [...world().compiled].find(([key]) => key.endsWith(`.sol:${name}`))![1]

  /** A package in a world().folder, with the artifact of its client. */
  async function packageOf(
    name: string,
    contract: string,
    files: Readonly<Record<string, string>>,
  ) {
    const directory = join(world().folder, name)
    await mkdir(directory)
    const { abi, bytecode } = compiledAs(contract)
    await writeFile(join(directory, `${contract}.json`), JSON.stringify({ abi, bytecode }))
    for (const [path, content] of Object.entries(files))
      await writeFile(join(directory, path), content)
    return directory
  }
  const published = async (directory: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await author().run(
      'policy',
      'publish',
      directory,
      '--json',
      ...args,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const createTask = async (directory: string, value: string) =>
    await author().run(
      'task',
      'create',
      '--package',
      directory,
      '--to',
      'recipient',
      '--value',
      value,
      '--json',
    )

  test('the commands of the guide publish its contract, and spend what its policy allows', async () => {
    const [yaml = ''] = await guideBlocks('yaml')
    const [rego = ''] = await guideBlocks('rego')
    const [params = ''] = await guideBlocks('json')
    const files = { 'policy.yaml': yaml, 'policy.rego': rego, 'params.json': params }
    const directory = await packageOf('treasury', 'Treasury', files)
    const [commands = ''] = await guideBlocks('sh')
    let taskId = ''
    for (const line of commands.trim().split('\n')) {
      const words = line
        .replace(/^polgate /, '')
        .replace('0x26895b...', taskId)
        .split(' ')
      const filled = words.map((word) => (word === 'treasury' ? directory : word))
      const { code, stdout, stderr } = await author().run(...filled)
      expect([line, code, stderr]).toEqual([line, 0, ''])
      taskId = /^task +(0x[0-9a-f]{64})/m.exec(stdout)?.[1] ?? taskId
      if (line.includes('spend')) expect(stdout).not.toContain('executed  no')
    }
    const denied = await createTask(directory, '1001')
    expect(denied.code).toBe(1)
  })

  const serviceClient = () => {
    const { gatewayUrl, apiKeys } = author().stack.description
    return createServiceClient({ url: gatewayUrl, key: apiKeys.rpc, chain: world().chain })
  }
  const walletOf = (name: 'owner' | 'sender') =>
    createWalletClient({
      account: privateKeyToAccount(author().stack.description.accounts[name].privateKey as Hex),
      ...{ chain: world().chain, transport: http(), pollingInterval: 20 },
    })

  test('a guard reverts for a denial, where another function would go on', async () => {
    const denied = await createTask(join(world().folder, 'treasury'), '1002')
    const { taskId } = JSON.parse(denied.stdout)
    const result = await serviceClient().waitForTask({ taskId })
    const walletClient = walletOf('sender')
    const spend = { walletClient, result, functionName: 'pay', spendDenied: true }
    await expect(spendAttestation(spend)).rejects.toMatchObject({ errorName: 'IntentNotAllowed' })
  })

  test('a guard compares the arguments of a function with the intent', async () => {
    const { token, accounts } = author().stack.description
    const yaml = 'name: desk\npolicy: policy.rego\nclient: { contract: TokenDesk.json }\n'
    const allowAll = 'package policy\ndefault allow := true\n'
    const files = { 'policy.yaml': yaml, 'policy.rego': allowAll }
    const directory = await packageOf('desk', 'TokenDesk', files)
    const { client: desk } = await published(directory)
    const tokenAt = { address: token as Hex, abi: abiOf('SampleToken') }
    const { client } = world()
    const mined = async (hash: Hex) =>
      (await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })).status
    const funding = { ...tokenAt, functionName: 'transfer', args: [desk, 9n] }
    expect(await mined(await walletOf('owner').writeContract(funding))).toBe('success')
    const to = accounts.recipient.address as Hex
    const call = ['--call', 'transfer(address,uint256)', to, '5']
    const ran = await author().run(
      ...['task', 'create', '--package', directory, '--to', token!, '--json', ...call],
    )
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    const { taskId } = JSON.parse(ran.stdout)
    const attestation = attestationArguments(await serviceClient().waitForTask({ taskId }))
    const payOut = (amount: bigint, recipient = to) => ({
      ...{ address: desk as Hex, functionName: 'payOut' },
      // The errors of the contracts that it calls, too.
      abi: [...compiledAs('TokenDesk').abi, ...customErrorsAbi],
      args: [recipient, amount, ...attestation],
    })
    const refusal = (by: Hex, amount: bigint, recipient?: Hex) =>
      client.simulateContract({ ...payOut(amount, recipient), account: by }).then(
        () => 'none',
        (error: Error) => error.message,
      )
    const sender = accounts.sender.address as Hex
    expect(await refusal(sender, 6n)).toContain('AnotherIntent')
    expect(await refusal(sender, 5n, sender)).toContain('AnotherIntent')
    expect(await refusal(to, 5n)).toContain('SenderIsNotIntentFrom')
    const balance = () =>
      client.readContract({ ...tokenAt, functionName: 'balanceOf', args: [to] }) as Promise<bigint>
    const before = await balance()
    expect(await mined(await walletOf('sender').writeContract(payOut(5n)))).toBe('success')
    expect((await balance()) - before).toBe(5n)
    expect(await refusal(sender, 5n)).toContain('AttestationAlreadySpent')
  })

  const rego = `package policy
default allow := false
allow if input.value <= data.params.most
`
  /** A description for each way in which contracts of others are given their policy. */
  const foreign = {
    ConfiguredClient: `  constructorArguments: { admin: $owner, manager: $taskManager }
  setPolicy: "configurePolicy(address,(bytes,uint32))"`,
    TwoStepClient: `  setPolicy:
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
    const { abi, bytecode } = compiledAs('InitializedClient')
    const hash = await walletOf('owner').deployContract({ abi, bytecode })
    const { client: reader } = world()
    const { contractAddress } = await reader.waitForTransactionReceipt({
      hash,
      pollingInterval: 20,
    })
    const file = join(copy, '.published.json')
    await writeFile(file, (await text(file)).replaceAll(client, contractAddress!))
    const plan = await author().run('policy', 'publish', copy, '--dry-run')
    expect(plan.stdout).toMatch(/initialize of the client.*\n.*useConfig of the client/)
    const again = await published(copy)
    expect(again).toMatchObject({ transactions: 2 })
    expect(again.client.toLowerCase()).toBe(contractAddress!.toLowerCase())
  }

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
