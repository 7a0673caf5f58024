import { devAccount } from 'polgate-chain/accounts.ts'
import { confidentialDataRegistryAbi, identityRegistryAbi } from 'polgate-chain/artifacts/abis.ts'
import { registerProvider } from 'polgate-chain/confidentialDataRegistry.ts'
import { deployDataRegistries } from 'polgate-chain/deploy.ts'
import {
  type IdentityRegistration,
  identityDomainOf,
  identityRegistration,
  registerIdentityData,
} from 'polgate-chain/identityRegistry.ts'
import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { simulate } from '../calls.ts'
import type { World } from '../world.ts'
import type { Provocations } from './provocation.ts'

const stranger = devAccount(9).address

/** New registries; the world's account owns them and signs as the gateway. */
const deployRegistries = ({ transactor }: World) =>
  deployDataRegistries(transactor, { gateway: transactor.account.address })

/** Registers data of the world's account, after one change. */
async function register(
  world: World,
  change: Partial<IdentityRegistration> = {},
  { from, signer = world.transactor.account }: { from?: Address; signer?: SigningAccount } = {},
) {
  const { identityRegistry } = await deployRegistries(world)
  const { chainId, account } = world.transactor
  const registration: IdentityRegistration = {
    identityOwner: account.address,
    identityDomain: `0x${'11'.repeat(32)}`,
    dataRefId: `0x${'22'.repeat(32)}`,
    deadline: 1n << 40n,
    ...change,
  }
  const gatewaySignature = await signer.signTypedData({
    domain: identityDomainOf(chainId, identityRegistry),
    ...identityRegistration,
    message: registration,
  })
  const { identityOwner, identityDomain, dataRefId, deadline } = registration
  const args = [identityOwner, identityDomain, dataRefId, gatewaySignature, deadline] as const
  const data = encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: 'registerIdentityData',
    args,
  })
  const call = () => simulate(world, { from: from ?? account.address, to: identityRegistry, data })
  const send = () =>
    registerIdentityData(world.transactor, identityRegistry, { ...registration, gatewaySignature })
  return { call, send }
}

type SigningAccount = Pick<World['transactor']['account'], 'signTypedData'>

async function callIdentity(
  world: World,
  functionName: 'setGateway' | 'transferOwnership',
  account: Address,
  from: Address = world.transactor.account.address,
) {
  const { identityRegistry: to } = await deployRegistries(world)
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName, args: [account] })
  return simulate(world, { from, to, data })
}

export const identityRegistryProvocations: Provocations = {
  InvalidGatewaySignature: async (world) =>
    (await register(world, {}, { signer: devAccount(9) })).call(),
  NotIdentityOwner: async (world) => (await register(world, {}, { from: stranger })).call(),
  OwnableInvalidOwner: (world) => callIdentity(world, 'transferOwnership', zeroAddress),
  OwnableUnauthorizedAccount: (world) => callIdentity(world, 'setGateway', stranger, stranger),
  async RegistrationAlreadyUsed(world) {
    const { send, call } = await register(world)
    await send()
    return call()
  },
  RegistrationExpired: async (world) => (await register(world, { deadline: 1n })).call(),
}

async function callConfidential(
  world: World,
  functionName: 'registerProvider' | 'removeProvider' | 'transferOwnership',
  args: readonly unknown[],
  {
    from = world.transactor.account.address,
    provider,
  }: { from?: Address; provider?: Address } = {},
) {
  const { confidentialDataRegistry: to } = await deployRegistries(world)
  if (provider !== undefined) {
    await registerProvider(world.transactor, to, { provider, dataType: 'sample' })
  }
  const data = encodeFunctionData({
    abi: confidentialDataRegistryAbi,
    functionName,
    args,
  } as never)
  return simulate(world, { from, to, data })
}

export const confidentialDataRegistryProvocations: Provocations = {
  InvalidDataType: (world) => callConfidential(world, 'registerProvider', [stranger, '']),
  InvalidProvider: (world) => callConfidential(world, 'registerProvider', [zeroAddress, 'sample']),
  NotOwnerNorProvider: (world) =>
    callConfidential(world, 'removeProvider', [world.policy], { from: stranger }),
  OwnableInvalidOwner: (world) => callConfidential(world, 'transferOwnership', [zeroAddress]),
  OwnableUnauthorizedAccount: (world) =>
    callConfidential(world, 'registerProvider', [stranger, 'sample'], { from: stranger }),
  ProviderAlreadyRegistered: (world) =>
    callConfidential(world, 'registerProvider', [stranger, 'other'], { provider: stranger }),
  ProviderNotRegistered: (world) => callConfidential(world, 'removeProvider', [stranger]),
}
