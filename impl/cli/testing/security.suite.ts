import { readFileSync } from 'node:fs'
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
import { guideBlocks, securityPage } from './guideBlocks.ts'
import { runMain } from './runMain.ts'

/** Attacks of the page have a heading that says what is wrong. */
const headings = [...readFileSync(securityPage, 'utf8').matchAll(/^## (An? .+)$/gm)].map(
  ([, heading = '']) => heading,
)

const allowAll = 'package policy\ndefault allow := true\n'
const denyAll = 'package policy\ndefault allow := false\n'

/** The security review for authors of clients: each attack, against the wrong code and the right one. */
export function securitySuite(author: () => AuthorStack, world: () => ContractsWorld): void {
  const tools = clientTools(author, world)
  const { compiledAs, packageOf, published, serviceClient, walletOf } = tools

  const clientOf = async (name: string, contract: string, rego: string): Promise<string> =>
    await packageOf(name, contract, {
      'policy.yaml': `name: ${name}\npolicy: policy.rego\nparams: params.json\nclient: { contract: ${contract}.json }\n`,
      'policy.rego': rego,
      'params.json': '{ "max_wei": 1000 }',
    })
  const created = async (directory: string, ...intent: readonly string[]) => {
    const words = ['task', 'create', '--package', directory, '--json', ...intent]
    const { code, stdout, stderr } = await author().run(...words)
    expect(stderr).toBe('')
    return { allowed: code === 0, taskId: JSON.parse(stdout).taskId as Hex }
  }
  const resultOf = async (taskId: Hex) => await serviceClient().waitForTask({ taskId })
  const mined = async (hash: Hex) =>
    (await waitForReceipt(world().client, { hash, pollingInterval: 20 })).status
  const accountOf = (name: 'owner' | 'sender' | 'recipient') =>
    author().stack.description.accounts[name].address as Hex
  const tokensOf = async (address: Hex) =>
    (await world().client.readContract({
      ...{ address: author().stack.description.token as Hex, abi: abiOf('SampleToken') },
      ...{ functionName: 'balanceOf', args: [address] },
    })) as bigint
  const weiOf = async (address: Hex) => await world().client.getBalance({ address })
  const spend = async (taskId: Hex, more: { readonly spendDenied?: boolean } = {}) =>
    await spendAttestation({
      ...{ walletClient: walletOf('sender'), result: await resultOf(taskId), functionName: 'pay' },
      ...more,
    })

  async function unrestrictedTarget(): Promise<void> {
    const [wrong = '', right = ''] = await guideBlocks('rego', securityPage)
    const { token } = author().stack.description
    const theft = ['--to', token!, '--call', 'transfer(address,uint256)', accountOf('recipient')]
    const attack = async (name: string, rego: string) => {
      const directory = await clientOf(name, 'Treasury', rego)
      const linted = await runMain('rego', 'lint', join(directory, 'policy.rego'))
      const { client } = await published(directory)
      const funding = { address: token as Hex, abi: abiOf('SampleToken') }
      const args = [client, 9n]
      const hash = await walletOf('owner').writeContract({
        ...{ ...funding, functionName: 'transfer', args },
      })
      expect(await mined(hash)).toBe('success')
      const task = await created(directory, ...theft, '9')
      if (task.allowed) await spend(task.taskId)
      return { warned: linted.stdout.includes('unrestricted-target'), left: await tokensOf(client) }
    }
    expect(await attack('open-target', wrong)).toEqual({ warned: true, left: 0n })
    expect(await attack('no-calldata', right)).toEqual({ warned: false, left: 9n })
  }

  async function decisionIgnored(): Promise<void> {
    const attack = async (contract: string) => {
      const directory = await clientOf(`denied-${contract.toLowerCase()}`, contract, denyAll)
      const { client } = await published(directory, '--fund', '1000wei')
      const task = await created(directory, '--to', 'recipient', '--value', '1000')
      expect(task.allowed).toBe(false)
      const error = await spend(task.taskId, { spendDenied: true }).then(
        () => undefined,
        (cause: { readonly errorName?: string }) => cause.errorName,
      )
      return { error, left: await weiOf(client) }
    }
    expect(await attack('DecisionIgnored')).toEqual({ error: undefined, left: 0n })
    expect(await attack('Treasury')).toEqual({ error: 'IntentNotAllowed', left: 1000n })
  }

  async function argumentsIgnored(): Promise<void> {
    const attack = async (contract: string) => {
      const directory = await clientOf(`allowed-${contract.toLowerCase()}`, contract, allowAll)
      const { client } = await published(directory, '--fund', '1000wei')
      const { taskId } = await created(directory, '--to', 'recipient', '--value', '1')
      const attestation = attestationArguments(await resultOf(taskId))
      const call = (to: Hex, amount: bigint) => ({
        ...{ address: client as Hex, functionName: 'pay', args: [to, amount, ...attestation] },
        abi: [...compiledAs(contract).abi, ...customErrorsAbi],
      })
      const theft = call(accountOf('sender'), 1000n)
      const error = await walletOf('sender')
        .writeContract(theft)
        .then(
          async (hash) => await mined(hash),
          (cause: Error) => /AnotherIntent/.exec(cause.message)?.[0],
        )
      return { error, left: await weiOf(client) }
    }
    expect(await attack('ArgumentsIgnored')).toEqual({ error: 'success', left: 0n })
    expect(await attack('ArgumentsCompared')).toEqual({ error: 'AnotherIntent', left: 1000n })
  }

  async function ownAuthority(): Promise<void> {
    const directory = await clientOf('own-authority', 'Treasury', allowAll)
    const { client } = await published(directory)
    const read = async (functionName: string) =>
      await world().client.readContract({
        ...{ address: client as Hex, abi: abiOf('PolicyGuard'), functionName },
      })
    const before = await read('getPolicyId')
    const setPolicy = ['--call', 'setPolicy((bytes,uint32))', '["0x7b7d",9999]']
    const attacks = [
      ['--to', `${await read('getPolicyAddress')}`, ...setPolicy],
      ['--to', client, ...setPolicy],
      ['--to', `${await read('getTaskManager')}`, '--call', 'anything()'],
    ]
    for (const attack of attacks) {
      const { allowed, taskId } = await created(directory, ...attack)
      expect(allowed).toBe(true)
      await expect(spend(taskId)).rejects.toMatchObject({ errorName: 'IntentTargetRefused' })
    }
    expect(await read('getPolicyId')).toBe(before)
  }

  const attacks: Readonly<Record<string, () => Promise<void>>> = {
    'A policy that does not say what may be called': unrestrictedTarget,
    'A client that goes on after a denial': decisionIgnored,
    'A client with arguments that the policy never saw': argumentsIgnored,
    "A call of the client's own policy or task manager": ownAuthority,
  }

  test('every attack of the security review is run', () => {
    expect(headings).toEqual(Object.keys(attacks))
  })

  test.each(Object.entries(attacks))('%s', async (_, attack) => {
    await attack()
  })
}
