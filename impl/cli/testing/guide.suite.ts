import { join } from 'node:path'
import { abiOf } from 'polgate-chain/artifact.ts'
import { customErrorsAbi } from 'polgate-chain/artifacts/abis.ts'
import { waitForReceipt } from 'polgate-client/chain/waitForReceipt.ts'
import { attestationArguments, spendAttestation } from 'polgate-client/index.ts'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { AuthorStack } from './authorStack.ts'
import { clientTools } from './clientTools.ts'
import type { ContractsWorld } from './contractsWorld.ts'
import { guideBlocks } from './guideBlocks.ts'

const allowAll = 'package policy\ndefault allow := true\n'

/** The guide for authors of contracts: its contracts, files and commands. */
export function guideSuite(author: () => AuthorStack, world: () => ContractsWorld): void {
  const tools = clientTools(author, world)
  const { compiledAs, packageOf, published, createTask, serviceClient, walletOf } = tools

  /** The contract of the guide with a policy that allows every call. */
  const anyCall = async (name: string): Promise<string> =>
    await packageOf(name, 'Treasury', {
      'policy.yaml': 'name: any\npolicy: policy.rego\nclient: { contract: Treasury.json }\n',
      'policy.rego': allowAll,
    })

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
      if (line.includes('spend')) expect(stdout).not.toContain('executed  not known')
    }
    const denied = await createTask(directory, '1001')
    expect(denied.code).toBe(1)
  })

  test('a guard reverts for a denial, where another function would go on', async () => {
    const denied = await createTask(join(world().folder, 'treasury'), '1002')
    const { taskId } = JSON.parse(denied.stdout)
    const result = await serviceClient().waitForTask({ taskId })
    const walletClient = walletOf('sender')
    const spend = { walletClient, result, functionName: 'pay', spendDenied: true }
    await expect(spendAttestation(spend)).rejects.toMatchObject({ errorName: 'IntentNotAllowed' })
  })

  test.each([
    ['an account without code', 'recipient', 'IntentTargetHasNoCode'],
    ['a contract that reverts', 'token', 'IntentFailed'],
  ])('a guard does not take a call to %s for done', async (_, name, error) => {
    const { token } = author().stack.description
    const to = name === 'token' ? token! : name
    const intent = ['--to', to, '--call', 'transfer(address,uint256)', token!, '1000']
    const treasury = await anyCall(name)
    await published(treasury)
    const ran = await author().run('task', 'create', '--package', treasury, '--json', ...intent)
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    const { taskId } = JSON.parse(ran.stdout)
    const spent = await author().run('task', 'spend', taskId, '--function', 'pay')
    expect([spent.code, spent.stderr]).toEqual([1, expect.stringContaining(error)])
  })

  test('a guard refuses an allowed intent to its policy, with what to do', async () => {
    const treasury = await anyCall('own-policy')
    const { client } = await published(treasury)
    const policy = await world().client.readContract({
      ...{ address: client as Hex, abi: abiOf('PolicyGuard'), functionName: 'getPolicyAddress' },
    })
    const intent = ['--to', `${policy}`, '--call', 'setPolicy((bytes,uint32))', '["0x7b7d",9999]']
    const ran = await author().run('task', 'create', '--package', treasury, '--json', ...intent)
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    const { taskId } = JSON.parse(ran.stdout)
    const spent = await author().run('task', 'spend', taskId, '--function', 'pay')
    expect([spent.code, spent.stderr]).toEqual([1, expect.stringContaining('IntentTargetRefused')])
    expect(spent.stderr).toContain('setTargetAllowed')
  })

  test('a guard compares the arguments of a function with the intent', async () => {
    const { token, accounts } = author().stack.description
    const yaml = 'name: desk\npolicy: policy.rego\nclient: { contract: TokenDesk.json }\n'
    const files = { 'policy.yaml': yaml, 'policy.rego': allowAll }
    const directory = await packageOf('desk', 'TokenDesk', files)
    const { client: desk } = await published(directory)
    const tokenAt = { address: token as Hex, abi: abiOf('SampleToken') }
    const { client } = world()
    const mined = async (hash: Hex) =>
      (await waitForReceipt(client, { hash, pollingInterval: 20 })).status
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
}
