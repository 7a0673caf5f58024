import { devAccount } from 'polgate-chain/accounts.ts'
import { type AnvilSettings, type RunningAnvil, startAnvil } from 'polgate-chain/anvil.ts'
import {
  deployPolicy,
  deployPolicyClient,
  deployPolicyData,
  deployProtocol,
  type PolicyClientDeployment,
  type Protocol,
} from 'polgate-chain/deploy.ts'
import { possessionDigest, proveAggregateKey, registerOperator } from 'polgate-chain/operators.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { type Address, type Hex, keccak256, toBytes, toHex } from 'viem'
import { type BlsKey, blsKey } from '../bls.ts'
import { sumG2 } from '../sums.ts'

/** A chain with all contracts deployed. */
export type World = {
  readonly anvil: RunningAnvil
  readonly transactor: Transactor
  readonly protocol: Protocol
  /** Registered in quorum 0 with `stakes[i]`; from the second on also in quorum 1. */
  readonly operators: readonly TestOperator[]
  readonly policyData: Address
  readonly policy: Address
  readonly policyClient: Address
  stop(): Promise<void>
}

export type TestOperator = {
  readonly account: Address
  readonly key: BlsKey
  readonly stake: bigint
}

/** Of the four operators in quorum 0: 100 in total, so that a stake equals a percentage. */
export const stakes = [40n, 30n, 20n, 10n] as const

const testKeys = new Map<string, BlsKey>()

/** A deterministic key per name, made once: its public keys take some milliseconds. */
export function testKey(name: string): BlsKey {
  const known = testKeys.get(name)
  if (known !== undefined) return known
  const key = blsKey(toBytes(keccak256(toHex(name))))
  testKeys.set(name, key)
  return key
}

/**
 * Starts Anvil and deploys the protocol, operators (default four), an oracle, a policy and a client.
 */
export async function startWorld(
  client: Partial<PolicyClientDeployment> = {},
  {
    attesters = [],
    stakes: held = stakes,
    ...node
  }: {
    readonly attesters?: readonly Address[]
    readonly stakes?: readonly bigint[]
  } & Pick<AnvilSettings, 'stepsTracing'> = {},
): Promise<World> {
  const anvil = await startAnvil(node)
  try {
    const transactor = await createTransactor({ rpcUrl: anvil.url, account: devAccount(0) })
    const protocol = await deployProtocol(transactor, { quorums: 3 })
    const operators = held.map((stake, i) => ({
      account: i < 4 ? devAccount(i + 1).address : numbered(i),
      key: testKey(`operator ${i}`),
      stake,
    }))
    // In sequence, one block each, so that the history of stakes is the same in every world.
    for (const [i, operator] of operators.entries()) {
      await register(transactor, protocol.operatorRegistry, operator, i)
    }
    await proveAggregateKey(transactor, protocol.operatorRegistry, {
      quorumNumber: 0,
      apkG2: sumG2(operators.map(({ key }) => ({ point: key.pubkeyG2, weight: 1 }))),
    })
    const policyData = await deployPolicyData(transactor, {
      wasmCid: 'bafywasm',
      expireAfter: 50,
      attesters,
    })
    const policy = await deployPolicy(transactor, protocol, {
      entrypoint: 'sample.allow',
      policyCid: 'bafypolicy',
      policyData: [policyData],
    })
    const policyClient = await deployPolicyClient(transactor, protocol, {
      kind: 'sample',
      policy,
      policyParams: '{"limit":1}',
      expireAfter: 20,
      ...client,
    })
    const parts = { anvil, transactor, protocol, operators, policyData, policy, policyClient }
    return { ...parts, stop: () => anvil.stop() }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

async function register(
  transactor: Transactor,
  operatorRegistry: Address,
  { account, key, stake }: TestOperator,
  position: number,
): Promise<void> {
  await registerOperator(transactor, operatorRegistry, {
    ...keyOf(key, { chainId: transactor.chainId, operatorRegistry, account }),
    account,
    stakes: position === 0 ? { 0: stake } : { 0: stake, 1: stake },
  })
}

const numbered = (i: number): Address => `0x${(0x10000 + i).toString(16).padStart(40, '0')}`

/** The public keys of a key with its proof of possession. */
export function keyOf(key: BlsKey, registration: Parameters<typeof possessionDigest>[0]) {
  const { pubkeyG1, pubkeyG2 } = key
  return { pubkeyG1, pubkeyG2, possession: key.sign(possessionDigest(registration)) }
}

/** ABI `bool` results (decision T11). */
export const allow: Hex = `0x${'0'.repeat(63)}1`
export const deny: Hex = `0x${'0'.repeat(64)}`
