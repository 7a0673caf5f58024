import { devAccount } from 'polgate-chain/accounts.ts'
import { sampleClientAbi, sampleTokenAbi, tokenVaultAbi } from 'polgate-chain/artifacts/abis.ts'
import {
  deployPolicyClient,
  deploySampleToken,
  type PolicyClientDeployment,
} from 'polgate-chain/deploy.ts'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  stringToHex,
  zeroAddress,
} from 'viem'
import type { Attestation } from '../../calldata.ts'
import { type AttestOptions, attest } from '../attest.ts'
import { mine, simulate, simulateExecute } from '../calls.ts'
import type { World } from '../world.ts'
import type { Provocations } from './provocation.ts'

type Kind = PolicyClientDeployment['kind']

const stranger = devAccount(9).address

function deployClient(world: World, kind: Kind, change: Partial<PolicyClientDeployment> = {}) {
  const { transactor, protocol, policy } = world
  return deployPolicyClient(transactor, protocol, { kind, policy, ...change })
}

async function callClient(
  world: World,
  to: Address,
  functionName: 'getPolicyConfig' | 'getPolicyId' | 'setOwner' | 'transferOwnership',
  args: readonly unknown[] = [],
  from: Address = world.transactor.account.address,
) {
  const data = encodeFunctionData({ abi: sampleClientAbi, functionName, args } as never)
  return simulate(world, { from, to, data })
}

/** An intent on which a vault pays out. */
export function transferIntent(token: Address, recipient: Address, amount: bigint) {
  const args = [recipient, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { to: token, data, functionSignature: stringToHex('transfer(address,uint256)') }
}

/** Simulates `withdraw` of zero to the stranger. */
function withdraw(
  world: World,
  vault: Address,
  attestation: Attestation,
  amount = 0n,
  from?: Address,
) {
  const { task, response, signatureData } = attestation
  const data = encodeFunctionData({
    abi: tokenVaultAbi,
    functionName: 'withdraw',
    args: [stranger, amount, task, response, signatureData],
  })
  return simulate(world, { from: from ?? world.transactor.account.address, to: vault, data })
}

type Use = {
  readonly from?: Address
  readonly options?: AttestOptions
  readonly change?: (attestation: Attestation) => Attestation
}

/** Deploys a client of a kind and uses an attestation with it, after one change. */
async function use(world: World, kind: Kind, { from, options, change }: Use) {
  if (kind !== 'tokenVault') {
    const policyClient = await deployClient(world, kind)
    const attestation = await attest(world, { policyClient, ...options })
    return simulateExecute(world, change?.(attestation) ?? attestation, from)
  }
  const token = await deploySampleToken(world.transactor)
  const policyClient = await deployClient(world, kind, { token })
  const intent = transferIntent(token, stranger, 0n)
  const attestation = await attest(world, { policyClient, intent, ...options })
  return withdraw(world, policyClient, change?.(attestation) ?? attestation, 0n, from)
}

/** The rejections that all policy clients have in common. */
const ofEveryClient = (kind: Kind): Provocations => ({
  AttestationForAnotherClient: (world) =>
    use(world, kind, {
      change: (attestation) => ({
        ...attestation,
        response: { ...attestation.response, policyClient: stranger },
      }),
    }),
  InvalidOwner: async (world) =>
    callClient(world, await deployClient(world, kind), 'transferOwnership', [zeroAddress]),
  NotOwner: async (world) =>
    callClient(world, await deployClient(world, kind), 'setOwner', [stranger], stranger),
  async PolicyConfigChanged(world) {
    const { address: policy } = await world.transactor.create(CHANGING_POLICY)
    const policyClient = await deployClient(world, kind, { policy })
    await mine(world, 1)
    return callClient(world, policyClient, 'getPolicyConfig')
  },
  PolicyNotSet: async (world) =>
    callClient(world, await deployClient(world, kind, { policy: zeroAddress }), 'getPolicyId'),
  QuorumMissing: (world) =>
    use(world, kind, {
      change: (attestation) => ({
        ...attestation,
        task: { ...attestation.task, quorumNumbers: '0x0102' },
      }),
    }),
  SenderIsNotIntentFrom: (world) => use(world, kind, { from: stranger }),
  StalePolicy: (world) =>
    use(world, kind, {
      change: (attestation) => ({
        ...attestation,
        response: { ...attestation.response, policyId: `0x${'33'.repeat(32)}` },
      }),
    }),
  ThresholdBelowMinimum: (world) => use(world, kind, { options: { threshold: 66 } }),
})

const ofExecutors = (kind: Kind): Provocations => ({
  ...ofEveryClient(kind),
  // The contract does not have this function.
  IntentFailed: (world) =>
    use(world, kind, { options: { intent: { to: world.policyData, data: '0x12345678' } } }),
  IntentTargetRefused: (world) => use(world, kind, { options: { intent: { to: world.policy } } }),
  IntentTargetHasNoCode: (world) =>
    use(world, kind, { options: { intent: { to: stranger, data: '0x12345678' } } }),
})

/** The parts of a signing domain are stored in one word each. */
const StringTooLong = (kind: Kind) => (world: World) =>
  deployClient(world, kind, { domainName: 'x'.repeat(32) })

/** A policy that answers every call with the same id, and a lifetime that is the block. */
const CHANGING_POLICY: Hex = '0x6011600a5f3960115ff360205f5260406020524360405260805ff3'

/** A token whose every function returns false. */
const FALSE_TOKEN: Hex = '0x600a600c600039600a6000f3600060005260206000f3'

export const sampleClientProvocations: Provocations = {
  ...ofExecutors('sample'),
  StringTooLong: StringTooLong('sample'),
}

export const sampleClientWithoutDomainProvocations: Provocations = ofExecutors('withoutDomain')

export const tokenVaultProvocations: Provocations = {
  ...ofEveryClient('tokenVault'),
  StringTooLong: StringTooLong('tokenVault'),
  async InsufficientDeposit(world) {
    const token = await deploySampleToken(world.transactor)
    const policyClient = await deployClient(world, 'tokenVault', { token })
    const intent = transferIntent(token, stranger, 5n)
    return withdraw(world, policyClient, await attest(world, { policyClient, intent }), 5n)
  },
  IntentMismatch: (world) =>
    use(world, 'tokenVault', { options: { intent: { functionSignature: '0x' } } }),
  async SafeERC20FailedOperation(world) {
    const { address: token } = await world.transactor.create(FALSE_TOKEN)
    const vault = await deployClient(world, 'tokenVault', { token })
    const data = encodeFunctionData({ abi: tokenVaultAbi, functionName: 'deposit', args: [1n] })
    return simulate(world, { from: stranger, to: vault, data })
  },
}

/** Calls a new token whose whole supply belongs to the world's account. */
async function callToken(
  world: World,
  functionName: 'approve' | 'transfer' | 'transferFrom',
  args: readonly unknown[],
  from: Address,
) {
  const to = await deploySampleToken(world.transactor, 10n)
  const data = encodeFunctionData({ abi: sampleTokenAbi, functionName, args } as never)
  return simulate(world, { from, to, data })
}

export const sampleTokenProvocations: Provocations = {
  ERC20InsufficientAllowance: (world) =>
    callToken(world, 'transferFrom', [world.transactor.account.address, stranger, 1n], stranger),
  ERC20InsufficientBalance: (world) => callToken(world, 'transfer', [world.policy, 1n], stranger),
  ERC20InvalidApprover: (world) => callToken(world, 'approve', [stranger, 1n], zeroAddress),
  ERC20InvalidReceiver: (world) => callToken(world, 'transfer', [zeroAddress, 0n], stranger),
  ERC20InvalidSender: (world) => callToken(world, 'transfer', [stranger, 0n], zeroAddress),
  ERC20InvalidSpender: (world) => callToken(world, 'approve', [zeroAddress, 1n], stranger),
}
