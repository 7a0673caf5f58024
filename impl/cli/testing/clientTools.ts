import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompiledContract } from 'polgate-chain/testing/compileContracts.ts'
import { waitForReceipt } from 'polgate-client/chain/waitForReceipt.ts'
import { createServiceClient } from 'polgate-client/index.ts'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { AuthorStack } from './authorStack.ts'
import type { ContractsWorld } from './contractsWorld.ts'

/** For tests: what deploys, publishes and calls the contracts of a user. */
export function clientTools(author: () => AuthorStack, world: () => ContractsWorld) {
  const compiledAs = (name: string): CompiledContract =>
    [...world().compiled].find(([key]) => key.endsWith(`.sol:${name}`))![1]

  /** A package in a folder, with the artifact of its client. */
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
    const words = ['policy', 'publish', directory, '--json', ...args]
    const { code, stdout, stderr } = await author().run(...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const createTask = async (directory: string, value: string) => {
    const intent = ['--to', 'recipient', '--value', value]
    return await author().run('task', 'create', '--package', directory, ...intent, '--json')
  }

  const serviceClient = () => {
    const { gatewayUrl, apiKeys } = author().stack.description
    return createServiceClient({ url: gatewayUrl, key: apiKeys.rpc, chain: world().chain })
  }
  const walletOf = (name: 'owner' | 'sender') =>
    createWalletClient({
      account: privateKeyToAccount(author().stack.description.accounts[name].privateKey as Hex),
      ...{ chain: world().chain, transport: http(), pollingInterval: 20 },
    })

  const deployed = async (name: string, args: readonly unknown[]): Promise<Hex> => {
    const { abi, bytecode } = compiledAs(name)
    const hash = await walletOf('owner').deployContract({ abi, bytecode, args })
    const { client } = world()
    const receipt = await waitForReceipt(client, { hash, pollingInterval: 20 })
    return receipt.contractAddress!
  }
  return { compiledAs, packageOf, published, createTask, serviceClient, walletOf, deployed }
}
