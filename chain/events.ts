import {
  type Address,
  type ContractEventName,
  decodeEventLog,
  type Hex,
  type PublicClient,
  type RpcLog,
  toEventSelector,
  toHex,
} from 'viem'
import { policyFactoryAbi, taskManagerAbi } from './artifacts/abis.ts'
import { bloomHas } from './bloom.ts'
import type { Intent, PolicyDataEntry, TaskResponse } from './types.ts'

/** Where the contracts stand whose events are followed. */
export interface EventSources {
  readonly taskManager: Address
  readonly policyFactory: Address
}

/** A log as a node tells it, its numbers read and its hex in lower case. */
export interface RawLog {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly logIndex: number
  readonly transactionHash: Hex
  /** Unix seconds; undefined where the node does not tell it with the log. */
  readonly timestamp: number | undefined
}

/** What an event carries as JSON: bytes and addresses in lower case, wide integers as quantities. */
export type EventJson = Readonly<Record<string, unknown>>

type At = Pick<RawLog, 'blockNumber' | 'logIndex' | 'transactionHash'>

/** An event that tells of a task, its attestation or a policy (decision C12). */
export type ProtocolEvent = At &
  (
    | {
        readonly kind: 'created'
        readonly taskId: Hex
        readonly policyClient: Address
        readonly sender: Address
        readonly intent: EventJson
      }
    | {
        readonly kind: 'responded'
        readonly taskId: Hex
        readonly policyId: Hex
        readonly policyAddress: Address
        readonly evaluationResult: Hex
        readonly policyConfig: EventJson
        readonly policyTaskData: EventJson
        readonly certificate: EventJson
      }
    | {
        readonly kind: 'spent'
        readonly taskId: Hex
        readonly policyClient: Address
        readonly allowed: boolean
      }
    | {
        readonly kind: 'challenged'
        readonly taskId: Hex
        readonly challenger: Address
        readonly successful: boolean
      }
    | { readonly kind: 'policyDeployed'; readonly policy: Address; readonly info: EventJson }
  )

const taskEvents = [
  'NewTaskCreated',
  'TaskResponded',
  'AttestationSpent',
  'TaskChallengedSuccessfully',
  'TaskChallengedUnsuccessfully',
] as const satisfies readonly ContractEventName<typeof taskManagerAbi>[]

const selectorOf = (abi: readonly { readonly type: string }[], name: string): Hex => {
  const event = abi.find((item) => item.type === 'event' && 'name' in item && item.name === name)
  return toEventSelector(event as Parameters<typeof toEventSelector>[0])
}

const selectors: readonly Hex[] = [
  ...taskEvents.map((name) => selectorOf(taskManagerAbi, name)),
  selectorOf(policyFactoryAbi, 'PolicyDeployed'),
]

/**
 * The logs of both contracts in a range of blocks, both ends included, in their order. What the node
 * tells twice is there once, and what it tells of other blocks is left out.
 *
 * @throws viem's errors; an Error for an answer that is none
 */
export async function readLogs(
  client: PublicClient,
  sources: EventSources,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly RawLog[]> {
  const logs = new Map<string, RawLog>()
  const told = await askForLogs(client, sources, { fromBlock: toHex(from), toBlock: toHex(to) })
  for (const log of told) {
    const asked = log.blockNumber >= from && log.blockNumber <= to
    if (asked) logs.set(`${log.blockHash} ${log.logIndex}`, log)
  }
  return [...logs.values()].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/**
 * Whether a block that seemed to have no logs has some. A node that is behind knows of none in blocks
 * that it has not seen, and does not say so: asked for a block by its hash it has to.
 *
 * @param bloom the block's `logsBloom`; most blocks need not be asked for
 * @throws viem's errors, also when the node does not know the block
 */
export async function hasLogs(
  client: PublicClient,
  sources: EventSources,
  block: { readonly hash: Hex; readonly bloom: Hex },
): Promise<boolean> {
  const has = (member: Hex) => bloomHas(block.bloom, member)
  const may = [sources.taskManager, sources.policyFactory].some(has) && selectors.some(has)
  return may && (await askForLogs(client, sources, { blockHash: block.hash })).length > 0
}

type LogRange = { readonly fromBlock: Hex; readonly toBlock: Hex } | { readonly blockHash: Hex }

async function askForLogs(
  client: PublicClient,
  { taskManager, policyFactory }: EventSources,
  range: LogRange,
): Promise<readonly RawLog[]> {
  const filter = { address: [taskManager, policyFactory], topics: [[...selectors]], ...range }
  const told = await client.request({ method: 'eth_getLogs', params: [filter] })
  if (!Array.isArray(told)) throw new Error('the node answers with no list of logs')
  return told.map(parseLog)
}

function parseLog(log: RpcLog & { readonly blockTimestamp?: Hex | null | undefined }): RawLog {
  const { address, topics, data, blockNumber, blockHash, logIndex, transactionHash } = log
  if (blockNumber === null || blockHash === null || logIndex === null || log.removed) {
    throw new Error('the node tells of a log that is in no block')
  }
  return {
    address: lower(address),
    topics: topics.map((topic) => lower(topic)),
    data: lower(data),
    blockNumber: Number(blockNumber),
    blockHash: lower(blockHash),
    logIndex: Number(logIndex),
    transactionHash: lower(transactionHash ?? '0x'),
    timestamp: log.blockTimestamp ? Number(log.blockTimestamp) : undefined,
  }
}

/**
 * What a log tells. Undefined for one that is none of these events, or whose data does not decode:
 * it is no reason to stop.
 */
export function eventOf(log: RawLog, sources: EventSources): ProtocolEvent | undefined {
  const { blockNumber, logIndex, transactionHash } = log
  const at = { blockNumber, logIndex, transactionHash }
  try {
    if (log.address === lower(sources.policyFactory)) {
      const deployed = policyDeployed(log)
      if (deployed !== undefined) return { ...at, ...deployed }
    }
    return log.address === lower(sources.taskManager) ? { ...at, ...taskEvent(log) } : undefined
  } catch {
    return undefined
  }
}

const topicsOf = ({ topics }: RawLog) => [...topics] as [Hex, ...Hex[]]

function taskEvent(log: RawLog) {
  const event = decodeEventLog({ abi: taskManagerAbi, topics: topicsOf(log), data: log.data })
  switch (event.eventName) {
    case 'NewTaskCreated': {
      const { task, policyClient } = event.args
      return {
        kind: 'created',
        taskId: lower(event.args.taskId),
        policyClient: lower(policyClient),
        sender: lower(task.intent.from),
        intent: intentJson(task.intent),
      } as const
    }
    case 'TaskResponded':
      return {
        kind: 'responded',
        taskId: lower(event.args.taskId),
        ...responded(event.args),
      } as const
    case 'AttestationSpent': {
      const { taskId, policyClient, allowed } = event.args
      return {
        kind: 'spent',
        taskId: lower(taskId),
        policyClient: lower(policyClient),
        allowed,
      } as const
    }
    case 'TaskChallengedSuccessfully':
    case 'TaskChallengedUnsuccessfully':
      return {
        kind: 'challenged',
        taskId: lower(event.args.taskId),
        challenger: lower(event.args.challenger),
        successful: event.eventName === 'TaskChallengedSuccessfully',
      } as const
    default:
      throw new Error(`${event.eventName} is not followed`)
  }
}

/** As the task manager remembers it: see `ResponseCertificate` of the contracts. */
type Certificate = {
  readonly referenceBlock: number
  readonly expirationBlock: number
  readonly respondedBlock: number
  readonly hashOfNonSigners: Hex
  readonly responseDigest: Hex
}

function responded(args: { readonly response: TaskResponse; readonly certificate: Certificate }) {
  const { response, certificate } = args
  const { policyTaskData, policyConfig } = response
  return {
    policyId: lower(response.policyId),
    policyAddress: lower(response.policyAddress),
    evaluationResult: lower(response.evaluationResult),
    policyConfig: {
      policyParams: lower(policyConfig.policyParams),
      expireAfter: policyConfig.expireAfter,
    },
    policyTaskData: {
      policyId: lower(policyTaskData.policyId),
      policyAddress: lower(policyTaskData.policyAddress),
      policy: lower(policyTaskData.policy),
      policyData: policyTaskData.policyData.map(policyDataJson),
    },
    certificate: {
      reference_block: certificate.referenceBlock,
      expiration_block: certificate.expirationBlock,
      responded_block: certificate.respondedBlock,
      hash_of_non_signers: lower(certificate.hashOfNonSigners),
      response_digest: lower(certificate.responseDigest),
    },
  }
}

const policyDataJson = (entry: PolicyDataEntry) => ({
  wasmArgs: lower(entry.wasmArgs),
  data: lower(entry.data),
  attestation: lower(entry.attestation),
  policyDataAddress: lower(entry.policyDataAddress),
  expireBlock: entry.expireBlock,
})

/** Section 2.2 has a numeric chain id here; one that no number holds exactly stays a quantity. */
const intentJson = (intent: Intent) => ({
  from: lower(intent.from),
  to: lower(intent.to),
  value: toHex(intent.value),
  data: lower(intent.data),
  chainId:
    intent.chainId <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(intent.chainId)
      : toHex(intent.chainId),
  functionSignature: lower(intent.functionSignature),
})

/** Anyone may deploy a policy with texts of any length: of each so many characters are taken. */
const maxText = 2_048
const maxPolicyData = 256

function policyDeployed(log: RawLog) {
  const { args } = decodeEventLog({
    abi: policyFactoryAbi,
    eventName: 'PolicyDeployed',
    topics: topicsOf(log),
    data: log.data,
  })
  const { policy, info } = args
  return {
    kind: 'policyDeployed',
    policy: lower(policy),
    info: {
      owner: lower(info.owner),
      metadata_cid: plainText(info.metadataCid),
      policy_cid: plainText(info.policyCid),
      schema_cid: plainText(info.schemaCid),
      entrypoint: plainText(info.entrypoint),
      policy_data: info.policyData.slice(0, maxPolicyData).map(lower),
      version: plainText(info.version),
    },
  } as const
}

/** Databases keep no NUL, and half a character is none. */
const plainText = (text: string): string =>
  text
    .replaceAll('\0', '\ufffd')
    .slice(0, maxText)
    .replace(/[\ud800-\udbff]$/, '')

const lower = <T extends string>(text: T): T => text.toLowerCase() as T
