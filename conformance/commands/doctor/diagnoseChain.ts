import { sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { createPublicClient, formatEther, type Hex, http, type PublicClient, zeroHash } from 'viem'
import { failureText } from '../../core/failureText.ts'
import type { Target } from '../../core/target.ts'
import { diagnoseOwnPolicies } from './diagnoseClients.ts'
import { type Diagnosed, notOk, ok } from './diagnosis.ts'

/** Tolerated clock difference in seconds: envelopes, deadlines and expiries are minutes. */
export const tolerableSkew = 5

const safely = (name: string, run: Promise<Diagnosed>): Promise<Diagnosed> =>
  run.catch((error) => notOk('missing', 'chain', name, failureText(error)))

const contract = async (client: PublicClient, name: string, address: Hex): Promise<Diagnosed> =>
  ((await client.getCode({ address })) ?? '0x') === '0x'
    ? notOk('missing', 'chain', name, `no code at ${address}`, 'Is it an address of this chain?')
    : ok('chain', name, address)

/** A second and more: what extends the time limits of checks. */
const intervalText = (blockMs: number): string =>
  blockMs < 1000 ? '' : `, a block every ${(blockMs / 1000).toFixed(1)} s`

/** The policy clients of a target: how many exist and have a policy. */
async function clientsOf(client: PublicClient, { clients }: Target): Promise<Diagnosed> {
  const entries = Object.entries(clients)
  if (entries.length === 0)
    return notOk(
      'missing',
      'chain',
      'policy clients',
      'the target has none',
      'Set clients in the target file, or chain.deployer, a funded key that deploys them.',
    )
  const bare = await Promise.all(
    entries.map(async ([name, { policyClient: address }]) => {
      const id = await client
        .readContract({ address, abi: sampleClientAbi, functionName: 'getPolicyId' })
        .catch(() => undefined)
      return id === undefined || id === zeroHash ? [name] : []
    }),
  )
  const without = bare.flat()
  return without.length === 0
    ? ok('chain', 'policy clients', `${entries.length}, each with a policy`)
    : notOk(
        'missing',
        'chain',
        'policy clients',
        `${without.join(', ')}: no policy`,
        'Is it a policy client of this chain, and has its owner set a policy?',
      )
}

async function funds(client: PublicClient, name: string, address: Hex): Promise<Diagnosed> {
  const wei = await client.getBalance({ address })
  return wei > 0n
    ? ok('chain', `account ${name}`, `${formatEther(wei)} at ${address}`)
    : notOk('missing', 'chain', `account ${name}`, `${address} has no funds`, 'Send it funds.')
}

/** The chain of a target: node, contracts, policy clients, funds, clock. `blockMs`: see `probeBlockTime`. */
export async function diagnoseChain(
  target: Target,
  blockMs: number,
): Promise<readonly Diagnosed[]> {
  const { chain, accounts } = target
  if (chain === undefined) {
    const hint = 'Set chain in the target file: rpcUrl, chainId, taskManager, operatorRegistry.'
    return [notOk('missing', 'chain', 'node', 'the target has no RPC URL of its chain', hint)]
  }
  const transport = http(chain.rpcUrl, { timeout: 15_000, retryCount: 1 })
  const client = createPublicClient({ transport })
  let id: number
  try {
    id = await client.getChainId()
  } catch (error) {
    return [notOk('missing', 'chain', 'node', `no answer: ${failureText(error)}`, 'Check rpcUrl.')]
  }
  if (id !== chain.chainId) {
    const says = `it is on chain ${id}, but the target file says ${chain.chainId}`
    return [notOk('missing', 'chain', 'node', says, 'Correct chain.chainId, or chain.rpcUrl.')]
  }
  const { rpcUrl: _, chainId: __, ...contracts } = chain
  const clock = async () => {
    const { timestamp, number } = await client.getBlock()
    const ahead = Number(timestamp) - Date.now() / 1000
    return ahead > tolerableSkew
      ? notOk('warn', 'chain', 'node', `block ${number} is ${Math.round(ahead)} s in the future`)
      : ok('chain', 'node', `chain ${id}, block ${number}${intervalText(blockMs)}`)
  }
  const spenders = (['owner', 'sender', 'stranger'] as const).flatMap((name) => {
    const account = accounts?.[name]
    return account?.privateKey === undefined ? [] : [[name, account.address] as const]
  })
  const [ownPolicies, ...examined] = await Promise.all([
    diagnoseOwnPolicies(client, target),
    safely('node', clock()),
    ...Object.entries(contracts).flatMap(([name, address]) =>
      address === undefined ? [] : [safely(name, contract(client, name, address as Hex))],
    ),
    safely('policy clients', clientsOf(client, target)),
    ...spenders.map(([name, address]) => safely(`account ${name}`, funds(client, name, address))),
  ])
  return [...examined, ...ownPolicies]
}
