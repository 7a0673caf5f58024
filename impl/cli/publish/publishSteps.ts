import { setTimeout as sleep } from 'node:timers/promises'
import { bytecodeOf } from 'polgate-chain/artifact.ts'
import { policyAbi, policyFactoryAbi } from 'polgate-chain/artifacts/abis.ts'
import { deployPolicy, deployPolicyData } from 'polgate-chain/deploy.ts'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { readClientContext, readPolicyData } from 'polgate-chain/reads.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import type { EncodedPolicyCall } from 'polgate-client/index.ts'
import {
  type Abi,
  AbiDecodingDataSizeTooSmallError,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  encodeDeployData,
  getContractAddress,
  parseEventLogs,
  RawContractError,
} from 'viem'
import { CommandError } from '../commandDefinition.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import type { ClientContract } from './clientContract.ts'
import type { PackageContents } from './packageContents.ts'
import type { Publication } from './publication.ts'

/** What is published, and where. */
export type PublishJob = {
  readonly given: PolicyPackage
  readonly contents: PackageContents
  readonly client: ClientContract
  readonly owner: Transactor
  readonly policyFactory: Address
  readonly attesters: readonly Address[]
  /** Name of the state file in the folder; default: `.published.json`. */
  readonly stateFile?: string | undefined
}

/** One transaction. */
export type Step = {
  readonly name: string
  /** For people. */
  readonly shown: string
  /** Upper bound of its gas. */
  readonly gas: bigint
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const sameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each, at) => same(each, other[at]!))

/** Whether the contract at an address is the PolicyData of an oracle of the job. */
export async function isPolicyData(
  { owner, contents, given, attesters }: PublishJob,
  id: string,
  address: Address,
): Promise<boolean> {
  const { component, secretsSchema } = contents.oracles.find((each) => each.id === id)!
  const found = await readPolicyData({ client: owner.client, policyData: address }).catch(unless)
  return (
    found !== undefined &&
    found.wasmCid === component.cid &&
    found.secretsSchemaCid === (secretsSchema?.cid ?? '') &&
    found.expireAfter === given.client.expireAfter &&
    sameList(found.attesters, attesters)
  )
}

/** What is not there, or is another contract, is not current; what cannot be read is an error. */
function unless(error: unknown): undefined {
  if (error instanceof ChainReadError && error.code !== 'unreachable') return undefined
  throw error
}

/** Whether the contract at an address is the Policy of the job with these oracles. */
export async function isPolicy(
  { owner, contents, given }: PublishJob,
  policyData: readonly Address[],
  address: Address,
): Promise<boolean> {
  const { client } = owner
  if (!(await hasCode(owner, address))) return false
  const read = async <const N extends 'getEntrypoint' | 'getPolicyCid' | 'getSchemaCid'>(
    functionName: N,
  ) => await client.readContract({ address, abi: policyAbi, functionName })
  try {
    const [entrypoint, policyCid, schemaCid, data] = await Promise.all([
      read('getEntrypoint'),
      read('getPolicyCid'),
      read('getSchemaCid'),
      client.readContract({ address, abi: policyAbi, functionName: 'getPolicyData' }),
    ])
    return (
      entrypoint === given.entrypoint &&
      policyCid === contents.policy.cid &&
      schemaCid === (contents.paramsSchema?.cid ?? '') &&
      sameList(data, policyData)
    )
  } catch (error) {
    // Another contract does not have these functions, or returns something else.
    if (isOfContract(error)) return false
    throw error
  }
}

/** Whether a call failed because another contract, or none, is at the address; else the chain could not be read. */
export const isOfContract = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (each) =>
      each instanceof ContractFunctionRevertedError ||
      each instanceof ContractFunctionZeroDataError ||
      each instanceof AbiDecodingDataSizeTooSmallError ||
      each instanceof RawContractError,
  ) !== null

export async function hasCode({ client }: Transactor, address: Address): Promise<boolean> {
  return ((await client.getCode({ address })) ?? '0x') !== '0x'
}

/** Whether a client has this policy with the parameters of the job. */
export async function hasPolicy(
  { owner, given }: PublishJob,
  policy: Address,
  policyClient: Address,
): Promise<boolean> {
  const found = await readClientContext({ client: owner.client, policyClient }).catch(unless)
  return (
    found !== undefined &&
    same(found.policyAddress, policy) &&
    found.policyConfig.policyParams === (given.params?.text ?? '{}') &&
    found.policyConfig.expireAfter === given.client.expireAfter
  )
}

/** What each byte of new code costs at most, and of stored text. */
const gasPerCodeByte = 216n
const gasPerTextByte = 750n
const gasOfTransaction = 120_000n

export const deploymentGas = (codeBytes: number, textBytes: number): bigint =>
  gasOfTransaction + gasPerCodeByte * BigInt(codeBytes) + gasPerTextByte * BigInt(textBytes)

const codeBytes = (contract: 'Policy' | 'PolicyData') => bytecodeOf(contract).length / 2

export const policyDataGas = ({ attesters }: PublishJob): bigint =>
  deploymentGas(codeBytes('PolicyData'), 64 * (4 + 2 * attesters.length))

export const policyGas = ({ given, contents }: PublishJob): bigint =>
  deploymentGas(codeBytes('Policy'), 64 * (4 + contents.oracles.length) + given.entrypoint.length)

export const clientGas = ({ client }: PublishJob): bigint =>
  deploymentGas(client.bytecode.length / 2, client.config.policyParams.length / 2 + 200)

/** Of calls that carry the parameters. */
export const callsGas = ({ client }: PublishJob, calls: readonly EncodedPolicyCall[]): bigint =>
  BigInt(calls.length) * deploymentGas(0, client.config.policyParams.length / 2 + 200)

export function createPolicyData(job: PublishJob, id: string): Promise<Address> {
  const { component, secretsSchema } = job.contents.oracles.find((each) => each.id === id)!
  return deployPolicyData(job.owner, {
    wasmCid: component.cid,
    secretsSchemaCid: secretsSchema?.cid ?? '',
    expireAfter: job.given.client.expireAfter,
    attesters: job.attesters,
  })
}

export const createPolicy = (
  { owner, policyFactory, given, contents }: PublishJob,
  policyData: readonly Address[],
): Promise<Address> =>
  deployPolicy(
    owner,
    { policyFactory },
    {
      entrypoint: given.entrypoint,
      policyCid: contents.policy.cid,
      schemaCid: contents.paramsSchema?.cid ?? '',
      policyData,
    },
  )

export async function createClient(
  { owner, client }: PublishJob,
  policy: Address,
): Promise<Address> {
  const { abi, bytecode } = client
  const data = encodeDeployData({ abi, bytecode, args: client.args(policy) })
  return (await owner.create(data)).address
}

/** Makes calls of a client, a transaction each. */
export async function callClient(
  { owner }: Pick<PublishJob, 'owner'>,
  address: Address,
  calls: readonly EncodedPolicyCall[],
): Promise<void> {
  for (const { abi, functionName, args } of calls)
    await owner.write({ address, abi: abi as Abi, functionName, args })
}

/** The contract that the deployer's transaction of a nonce created, if it is there. */
export async function createdAt(
  { owner }: PublishJob,
  { nonce }: NonNullable<Publication['pending']>,
): Promise<Address | undefined> {
  const address = getContractAddress({ from: owner.account.address, nonce: BigInt(nonce) })
  return (await hasCode(owner, address)) ? address : undefined
}

/** As long as the transactions of `publish` are waited for. */
const minedWithinMs = 60_000
const lookEveryMs = 200

/**
 * Waits for what an interrupted run may have sent: while it is only in the node's pool, it is unknown
 * what it creates, and sending it again would deploy it twice.
 *
 * @throws CommandError if it is not mined in time
 */
export async function untilMinedOrUnknown(
  { owner: { client, account } }: PublishJob,
  { nonce, step }: NonNullable<Publication['pending']>,
): Promise<void> {
  const { address } = account
  const deadline = performance.now() + minedWithinMs
  for (;;) {
    const latest = await client.getTransactionCount({ address, blockTag: 'latest' })
    if (latest > nonce) return
    const known = await client.getTransactionCount({ address, blockTag: 'pending' })
    if (known <= nonce) return
    if (performance.now() > deadline)
      throw new CommandError(
        `the transaction for ${step} that an interrupted run has sent, nonce ${nonce}, is not mined yet`,
        { hint: 'Run publish again when it is mined. Nothing was sent.' },
      )
    await sleep(lookEveryMs)
  }
}

/** The policies of this account that the factory has deployed since a block. */
export async function policiesSince(
  { owner, policyFactory }: PublishJob,
  { block }: NonNullable<Publication['pending']>,
): Promise<readonly Address[]> {
  const logs = await owner.client.getLogs({ address: policyFactory, fromBlock: BigInt(block) })
  return parseEventLogs({ abi: policyFactoryAbi, eventName: 'PolicyDeployed', logs })
    .filter(({ args }) => same(args.owner, owner.account.address))
    .map(({ args }) => args.policy)
}
