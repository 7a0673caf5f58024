import {
  type Abi,
  type Address,
  encodeDeployData,
  type Hex,
  parseEventLogs,
  stringToHex,
} from 'viem'
import { bytecodeOf, type ContractName } from './artifact.ts'
import {
  confidentialDataRegistryAbi,
  identityRegistryAbi,
  operatorRegistryAbi,
  policyAbi,
  policyDataAbi,
  policyFactoryAbi,
  sampleClientAbi,
  sampleClientWithoutDomainAbi,
  sampleTokenAbi,
  taskManagerAbi,
  tokenVaultAbi,
} from './artifacts/abis.ts'
import { ChainWriteError } from './errors.ts'
import type { Transactor } from './transactor.ts'

/** Addresses of the contracts of one deployment. */
export type Protocol = {
  readonly taskManager: Address
  readonly operatorRegistry: Address
  readonly policyFactory: Address
}

/**
 * Deploys registry, task manager and policy factory, owned by the transactor's account.
 *
 * @param quorums number of quorums created initially, numbered from 0; default 1
 * @param aggregator account that may post tasks and responses; default the transactor's account
 */
export async function deployProtocol(
  transactor: Transactor,
  { quorums = 1, aggregator }: { readonly quorums?: number; readonly aggregator?: Address } = {},
): Promise<Protocol> {
  const owner = transactor.account.address
  // Sequentially, so that on an empty chain the addresses are always the same.
  const registryArgs = [owner, quorums]
  const operatorRegistry = await deploy(
    transactor,
    'OperatorRegistry',
    operatorRegistryAbi,
    registryArgs,
  )
  const policyFactory = await deploy(transactor, 'PolicyFactory', policyFactoryAbi, [])
  const args = [owner, operatorRegistry, aggregator ?? owner]
  const taskManager = await deploy(transactor, 'TaskManager', taskManagerAbi, args)
  return { taskManager, operatorRegistry, policyFactory }
}

/** Addresses of the registries of sealed data (section 4.10). */
export type DataRegistries = {
  readonly identityRegistry: Address
  readonly confidentialDataRegistry: Address
}

/**
 * Deploys the registries of identity and of confidential data, owned by the transactor's account.
 *
 * @param gateway account whose signatures the identity registry accepts (decision K7)
 */
export async function deployDataRegistries(
  transactor: Transactor,
  { gateway }: { readonly gateway: Address },
): Promise<DataRegistries> {
  const owner = transactor.account.address
  const identityArgs = [owner, gateway]
  const identityRegistry = await deploy(
    transactor,
    'IdentityRegistry',
    identityRegistryAbi,
    identityArgs,
  )
  const confidentialDataRegistry = await deploy(
    transactor,
    'ConfidentialDataRegistry',
    confidentialDataRegistryAbi,
    [owner],
  )
  return { identityRegistry, confidentialDataRegistry }
}

export type PolicyDataDeployment = {
  readonly wasmCid: string
  /** '' or absent if the oracle needs no secrets. */
  readonly secretsSchemaCid?: string
  /** Blocks for which its data is valid, default 300. */
  readonly expireAfter?: number
  /** Accounts that may attest the data; by default none, and then attestations are empty. */
  readonly attesters?: readonly Address[]
  readonly metadataCid?: string
  /** Default 1.1.0. */
  readonly version?: string
}

export function deployPolicyData(
  transactor: Transactor,
  deployment: PolicyDataDeployment,
): Promise<Address> {
  const { wasmCid, secretsSchemaCid = '', expireAfter = 300, attesters = [] } = deployment
  const { metadataCid = '', version = '1.1.0' } = deployment
  const args = [wasmCid, secretsSchemaCid, expireAfter, attesters, metadataCid, version]
  return deploy(transactor, 'PolicyData', policyDataAbi, args)
}

export type PolicyDeployment = {
  /** `package.rule`. */
  readonly entrypoint: string
  readonly policyCid: string
  /** Schema of the parameters; '' or absent for none. */
  readonly schemaCid?: string
  readonly metadataCid?: string
  readonly policyData?: readonly Address[]
  /** Default 1.1.0. */
  readonly version?: string
  /** Default the transactor's account. */
  readonly owner?: Address
}

/** Deploys a policy through the factory, whose PolicyDeployed event is indexed. */
export async function deployPolicy(
  transactor: Transactor,
  { policyFactory }: Pick<Protocol, 'policyFactory'>,
  deployment: PolicyDeployment,
): Promise<Address> {
  const receipt = await transactor.write({
    address: policyFactory,
    abi: policyFactoryAbi,
    functionName: 'deployPolicy',
    args: [policyInfo(transactor, deployment)],
  })
  const logs = parseEventLogs({
    abi: policyFactoryAbi,
    eventName: 'PolicyDeployed',
    logs: receipt.logs,
  })
  const policy = logs[0]?.args.policy
  if (policy === undefined) {
    throw new ChainWriteError('deployPolicy: no PolicyDeployed event', undefined, {
      code: 'reverted',
      hint: 'Check that the factory address is that of a PolicyFactory.',
    })
  }
  return policy
}

/** Deploys a policy without the factory: no indexer finds it. */
export function deployPolicyAlone(
  transactor: Transactor,
  deployment: PolicyDeployment,
): Promise<Address> {
  return deploy(transactor, 'Policy', policyAbi, [policyInfo(transactor, deployment)])
}

function policyInfo(transactor: Transactor, deployment: PolicyDeployment) {
  const { entrypoint, policyCid, schemaCid = '', metadataCid = '', policyData = [] } = deployment
  const { version = '1.1.0', owner = transactor.account.address } = deployment
  return { owner, metadataCid, policyCid, schemaCid, entrypoint, policyData, version }
}

export type PolicyClientDeployment = {
  /** 'sample' exposes eip712Domain(), 'withoutDomain' does not, 'tokenVault' holds an ERC-20. */
  readonly kind: 'sample' | 'withoutDomain' | 'tokenVault'
  /** Default the transactor's account; the zero address for a client without an owner. */
  readonly owner?: Address
  /** Absent: no policy is set. */
  readonly policy?: Address
  /** JSON text, default `{}`. */
  readonly policyParams?: string
  /** Blocks for which an attestation is valid, default 300. */
  readonly expireAfter?: number
  /** For the signing domain; defaults PolicyClient and 1. */
  readonly domainName?: string
  readonly domainVersion?: string
  /** For a token vault. */
  readonly token?: Address
}

export function deployPolicyClient(
  transactor: Transactor,
  { taskManager }: Pick<Protocol, 'taskManager'>,
  deployment: PolicyClientDeployment,
): Promise<Address> {
  const { kind, owner = transactor.account.address, policy = ZERO, token = ZERO } = deployment
  const { domainName = 'PolicyClient', domainVersion = '1' } = deployment
  const config = policyConfig(deployment)
  const args = [owner, taskManager, policy, config, domainName, domainVersion]
  if (kind === 'tokenVault') {
    return deploy(transactor, 'TokenVault', tokenVaultAbi, [...args, token])
  }
  return kind === 'sample'
    ? deploy(transactor, 'SampleClient', sampleClientAbi, args)
    : deploy(transactor, 'SampleClientWithoutDomain', sampleClientWithoutDomainAbi, args)
}

/** Sets the policy of a client owned by the transactor's account, which changes its policy id. */
export async function setPolicy(
  transactor: Transactor,
  policyClient: Address,
  settings: {
    readonly policy: Address
    readonly policyParams?: string
    readonly expireAfter?: number
  },
): Promise<void> {
  await transactor.write({
    address: policyClient,
    abi: sampleClientAbi,
    functionName: 'setPolicy',
    args: [settings.policy, policyConfig(settings)],
  })
}

/** Deploys an ERC-20 with 18 decimals, whose supply the transactor's account holds. */
export function deploySampleToken(
  transactor: Transactor,
  supply = 1_000_000n * 10n ** 18n,
): Promise<Address> {
  const args = [transactor.account.address, supply]
  return deploy(transactor, 'SampleToken', sampleTokenAbi, args)
}

const ZERO: Address = '0x0000000000000000000000000000000000000000'

function policyConfig({
  policyParams = '{}',
  expireAfter = 300,
}: {
  readonly policyParams?: string
  readonly expireAfter?: number
}) {
  return { policyParams: stringToHex(policyParams), expireAfter }
}

async function deploy(
  transactor: Transactor,
  contract: ContractName,
  abi: Abi,
  args: readonly unknown[],
): Promise<Address> {
  const bytecode: Hex = bytecodeOf(contract)
  const initCode = encodeDeployData({ abi, bytecode, args })
  const { address } = await transactor.create(initCode)
  return address
}
