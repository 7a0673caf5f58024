import { type Address, decodeEventLog, type Hex, toHex } from 'viem'
import { policyFactoryAbi, taskManagerAbi } from './artifacts/abis.ts'
import type { EventSources, RawLog } from './logs.ts'
import type { Intent, PolicyDataEntry, TaskResponse } from './types.ts'

/** Event data as JSON: bytes and addresses in lower case, wide integers as quantities. */
export type EventJson = Readonly<Record<string, unknown>>

type At = Pick<RawLog, 'blockNumber' | 'logIndex' | 'transactionHash'>

/** An event of a task, its attestation or a policy (decision C12). */
export type ProtocolEvent = At &
  (
    | {
        readonly kind: 'created'
        readonly taskId: Hex
        readonly policyClient: Address
        readonly sender: Address
        /** `taskCreatedBlock` of the task; the event itself is in a later block. */
        readonly createdBlock: number
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

/**
 * Decodes a log. Undefined if it is none of these events or does not decode, which must not stop
 * the indexer.
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
        createdBlock: task.taskCreatedBlock,
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
      throw new Error(`${event.eventName} is not supported`)
  }
}

/** As stored by the task manager: see `ResponseCertificate` of the contracts. */
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

/** Section 2.2 has a numeric chain id here; one beyond the safe integers stays a quantity. */
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

/** Maximum length of policy texts: anyone may deploy a policy with texts of any length. */
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

/** Databases cannot store NUL or unpaired surrogates. */
const plainText = (text: string): string =>
  text
    .replaceAll('\0', '\ufffd')
    .slice(0, maxText)
    .replace(/[\ud800-\udbff]$/, '')

const lower = <T extends string>(text: T): T => text.toLowerCase() as T
