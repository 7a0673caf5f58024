import { devAccount } from 'polgate-chain/accounts.ts'
import { confidentialDataRegistryAbi, identityRegistryAbi } from 'polgate-chain/artifacts/abis.ts'
import { registerProvider, setSource } from 'polgate-chain/confidentialDataRegistry.ts'
import { deployDataRegistries } from 'polgate-chain/deploy.ts'
import {
  type IdentityRegistration,
  identityDomainOf,
  identityLink,
  identityRegistration,
  linkIdentity,
  registerIdentityData,
} from 'polgate-chain/identityRegistry.ts'
import { type Address, encodeFunctionData, type Hex, numberToHex, zeroAddress } from 'viem'
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

/** Links domains to the world's account, all but the last list before. @returns the registry */
async function link(
  world: World,
  lists: readonly (readonly Hex[])[],
  { deadline = 1n << 40n, signer = world.transactor.account }: LinkChange = {},
): Promise<Address> {
  const { identityRegistry } = await deployRegistries(world)
  const { chainId, account } = world.transactor
  const { address: party } = account
  for (const [nonce, identityDomains] of lists.entries()) {
    const { policyClient } = world
    const message = {
      identityOwner: party,
      policyClient,
      clientUser: party,
      identityDomains,
      deadline,
    }
    const ownerSignature = await signer.signTypedData({
      domain: identityDomainOf(chainId, identityRegistry),
      ...identityLink,
      message: { ...message, nonce: BigInt(nonce) },
    })
    const signed = { ...message, ownerSignature, userSignature: '0x' } as const
    await linkIdentity(world.transactor, identityRegistry, signed)
  }
  return identityRegistry
}

type LinkChange = { readonly deadline?: bigint; readonly signer?: SigningAccount }

const domains = (count: number): readonly Hex[] =>
  Array.from({ length: count }, (_, i) => numberToHex(i, { size: 32 }))
const another: Hex = `0x${'ff'.repeat(32)}`

export const identityRegistryProvocations: Provocations = {
  AlreadyLinked: (world) => link(world, [domains(1), domains(1)]),
  InvalidDomainCount: (world) => link(world, [domains(51)]),
  InvalidGatewaySignature: async (world) =>
    (await register(world, {}, { signer: devAccount(9) })).call(),
  InvalidLinkSignature: (world) => link(world, [domains(1)], { signer: devAccount(9) }),
  LinkExpired: (world) => link(world, [domains(1)], { deadline: 1n }),
  NotIdentityOwner: async (world) => (await register(world, {}, { from: stranger })).call(),
  async NotPartyOfLink(world) {
    const to = await link(world, [domains(1)])
    const data = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: 'revokeLinks',
      args: [world.policyClient, world.transactor.account.address, domains(1)],
    })
    return simulate(world, { from: stranger, to, data })
  },
  OwnableInvalidOwner: (world) => callIdentity(world, 'transferOwnership', zeroAddress),
  OwnableUnauthorizedAccount: (world) => callIdentity(world, 'setGateway', stranger, stranger),
  async RegistrationAlreadyUsed(world) {
    const { send, call } = await register(world)
    await send()
    return call()
  },
  RegistrationExpired: async (world) => (await register(world, { deadline: 1n })).call(),
  TooManyLinks: (world) => link(world, [domains(50), [another]]),
}

async function callConfidential(
  world: World,
  functionName: ConfidentialFunction,
  args: readonly unknown[],
  {
    from = world.transactor.account.address,
    provider,
    types = [],
  }: { from?: Address; provider?: Address; types?: readonly string[] } = {},
) {
  const { transactor, policyClient: client } = world
  const { confidentialDataRegistry: to } = await deployRegistries(world)
  if (provider !== undefined) {
    await registerProvider(transactor, to, { provider, dataType: 'sample' })
  }
  for (const [i, dataType] of types.entries()) {
    const source = { client, dataType, provider: numberToHex(i + 1, { size: 20 }), domain: another }
    await registerProvider(transactor, to, source)
    await setSource(transactor, to, source)
  }
  const data = encodeFunctionData({
    abi: confidentialDataRegistryAbi,
    functionName,
    args,
  } as never)
  return simulate(world, { from, to, data })
}

type ConfidentialFunction =
  | 'publish'
  | 'registerProvider'
  | 'removeProvider'
  | 'removeSource'
  | 'revoke'
  | 'setSource'
  | 'transferOwnership'

const byProvider = { from: stranger, provider: stranger }

export const confidentialDataRegistryProvocations: Provocations = {
  InvalidDataRefId: (world) => callConfidential(world, 'publish', [another, ''], byProvider),
  InvalidDataType: (world) => callConfidential(world, 'registerProvider', [stranger, '']),
  InvalidProvider: (world) => callConfidential(world, 'registerProvider', [zeroAddress, 'sample']),
  NotClientOwner: (world) =>
    callConfidential(world, 'removeSource', [world.policyClient, 'sample'], byProvider),
  NotGranted: (world) =>
    callConfidential(world, 'revoke', [world.policyClient, another], byProvider),
  NotOwnerNorProvider: (world) =>
    callConfidential(world, 'removeProvider', [world.policy], { from: stranger }),
  OwnableInvalidOwner: (world) => callConfidential(world, 'transferOwnership', [zeroAddress]),
  OwnableUnauthorizedAccount: (world) =>
    callConfidential(world, 'registerProvider', [stranger, 'sample'], { from: stranger }),
  NotProvider: (world) => callConfidential(world, 'publish', [another, 'any'], { from: stranger }),
  ProviderAlreadyRegistered: (world) =>
    callConfidential(world, 'registerProvider', [stranger, 'other'], { provider: stranger }),
  ProviderNotRegistered: (world) => callConfidential(world, 'removeProvider', [stranger]),
  ProviderOfAnotherType: (world) =>
    callConfidential(world, 'setSource', [world.policyClient, 'other', stranger, another], {
      provider: stranger,
    }),
  SourceNotSet: (world) => callConfidential(world, 'removeSource', [world.policyClient, 'sample']),
  TooManySources: (world) =>
    callConfidential(world, 'setSource', [world.policyClient, 'sample', stranger, another], {
      provider: stranger,
      types: ['1', '2', '3', '4', '5', '6', '7', '8'],
    }),
}
