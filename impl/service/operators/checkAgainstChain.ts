import type { ClientContext } from 'polgate-chain/reads.ts'
import { expiryBlock } from 'polgate-protocol/expiryBlock.ts'
import { stringToHex } from 'viem'
import { intentHash, parseIntent, taskId } from '../intents/intent.ts'
import { intentDigest } from '../intents/intentSignature.ts'
import type { ChainView } from './chainView.ts'
import type { DataRequest, SignRequest } from './operator.ts'
import { chainDisagrees } from './operatorErrors.ts'

/** Maximum difference between the policy's time and the operator's clock, milliseconds. */
const clockSkewMs = 60_000

type Comparison = readonly [member: string, given: unknown, expected: unknown]

/**
 * Checks a response to be signed against the chain. Not covered: the intent, which comes from the
 * caller; the data, which the operator has observed; and attestations of the data, which are not
 * signed (decision C2).
 *
 * @throws ServiceError -32616 with the first member that differs
 */
export function checkSignRequest(
  request: SignRequest,
  context: ClientContext,
  own: Pick<ChainView, 'chainId' | 'taskManager'> & { readonly now: number },
): void {
  const { evaluation, draft, referenceBlock, nonce } = request
  const { policyTaskData: data, policyConfig } = draft
  const { signingDomain } = context
  const { policyParams } = context.policyConfig
  const intent = parseIntent(evaluation.intent)
  const id = taskId({
    chainId: BigInt(own.chainId),
    policyClient: draft.policyClient,
    intentHash: intentHash(intent),
    nonce,
    taskCreatedBlock: referenceBlock,
  })
  differing(referenceBlock, [
    ...chainComparisons(context, own),
    ['taskId', draft.taskId, id],
    ['policyId', draft.policyId, context.policyId],
    ['policyAddress', draft.policyAddress, context.policyAddress],
    // Inline source in addition to the content id would be evaluated instead.
    ['policyCid', 'source' in evaluation.policy || evaluation.policy.cid, context.policyCid],
    ['entrypoint', evaluation.entrypoint, context.entrypoint],
    ['params', evaluation.params, policyParams],
    ['paramsSchemaCid', evaluation.paramsSchemaCid, context.schemaCid],
    ['policyConfig.policyParams', policyConfig.policyParams, stringToHex(policyParams)],
    ['policyConfig.expireAfter', policyConfig.expireAfter, context.policyConfig.expireAfter],
    ['intentSignature', draft.intentSignature, evaluation.intentSignature ?? '0x'],
    [
      'intentDigest',
      evaluation.intentDigest ?? null,
      signingDomain === undefined ? null : intentDigest(intent, signingDomain),
    ],
    ['policyTaskData.policyId', data.policyId, context.policyId],
    ['policyTaskData.policyAddress', data.policyAddress, context.policyAddress],
    ['policyTaskData.policy', data.policy, '0x'],
    ['policyData.length', data.policyData.length, context.policyData.length],
    ['data.length', evaluation.data.length, context.policyData.length],
    ...context.policyData.flatMap((source, at): Comparison[] => {
      const given = data.policyData[at]
      const output = evaluation.data[at]
      const expireBlock = expiryBlock(referenceBlock, source.expireAfter)
      return [
        [`policyData.${at}.address`, given?.policyDataAddress, source.policyDataAddress],
        [`policyData.${at}.expireBlock`, given?.expireBlock, expireBlock],
        [`policyData.${at}.data`, given?.data, stringToHex(output ?? '')],
      ]
    }),
  ])
  if (!(Math.abs(evaluation.now - own.now) <= clockSkewMs)) {
    throw chainDisagrees('now differs from its clock by more than 60 s', true)
  }
}

/**
 * Checks the oracles of a task against the chain before they run with secrets.
 *
 * @throws ServiceError -32616 with the first member that differs
 */
export function checkSources(
  { sources }: DataRequest,
  context: ClientContext,
  own: Pick<ChainView, 'chainId' | 'taskManager'>,
): void {
  differing(context.blockNumber, [
    ...chainComparisons(context, own),
    ['sources.length', sources.length, context.policyData.length],
    ...context.policyData.flatMap((source, at): Comparison[] => [
      [`sources.${at}.address`, sources[at]?.policyDataAddress, source.policyDataAddress],
      [`sources.${at}.wasmCid`, sources[at]?.wasmCid, source.wasmCid],
    ]),
  ])
}

/** @throws ServiceError -32616 if the content id differs from that of the source */
export function checkCid(member: string, given: string, expected: string): void {
  if (given !== expected) throw chainDisagrees(`${member} differs from the chain`, true)
}

const chainComparisons = (
  context: ClientContext,
  own: Pick<ChainView, 'chainId' | 'taskManager'>,
): readonly Comparison[] => [
  ['chainId', context.chainId, own.chainId],
  ['taskManager', context.taskManager, own.taskManager],
]

/** Compares hex case-insensitively; content ids and texts exactly. */
function differing(block: number, comparisons: readonly Comparison[]): void {
  const hex = /^0x[0-9a-fA-F]*$/
  const plain = (value: unknown) =>
    typeof value === 'string' && hex.test(value) ? value.toLowerCase() : value
  const different = comparisons.find(([, given, expected]) => plain(given) !== plain(expected))
  if (different === undefined) return
  throw chainDisagrees(`${different[0]} differs from the chain at block ${block}`, false)
}
