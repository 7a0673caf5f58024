import type { ClientContext } from 'polgate-chain/reads.ts'
import { expiryBlock } from 'polgate-protocol/expiryBlock.ts'
import { stringToHex } from 'viem'
import { intentHash, parseIntent, taskId } from '../intents/intent.ts'
import { intentDigest } from '../intents/intentSignature.ts'
import type { ChainView } from './chainView.ts'
import type { DataRequest, SignRequest } from './operator.ts'
import { chainDisagrees } from './operatorErrors.ts'

/** How far the moment that a policy sees may be from the operator's own clock, milliseconds. */
const clockSkewMs = 60_000

type Comparison = readonly [member: string, given: unknown, expected: unknown]

/**
 * Holds a response that is to be signed against the chain: everything in it but the intent, which is
 * the caller's, the data, which the operator has seen itself, and the attestations of the data, which
 * nobody signs (decision C2).
 *
 * @throws ServiceError -32616 that names the first member that differs
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
    // A source that stands beside the content id would be what is evaluated.
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
    throw chainDisagrees('now is more than 60 s from its own clock', true)
  }
}

/**
 * Holds the oracles of a task against the chain, before they are run with anybody's secrets.
 *
 * @throws ServiceError -32616 that names the first member that differs
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

/** @throws ServiceError -32616 unless the content id is the one of the source */
export function checkCid(member: string, given: string, expected: string): void {
  if (given !== expected) throw chainDisagrees(`${member} is not the one on chain`, true)
}

const chainComparisons = (
  context: ClientContext,
  own: Pick<ChainView, 'chainId' | 'taskManager'>,
): readonly Comparison[] => [
  ['chainId', context.chainId, own.chainId],
  ['taskManager', context.taskManager, own.taskManager],
]

/** Hex is compared in any case; a content id and a text as they are. */
function differing(block: number, comparisons: readonly Comparison[]): void {
  const hex = /^0x[0-9a-fA-F]*$/
  const plain = (value: unknown) =>
    typeof value === 'string' && hex.test(value) ? value.toLowerCase() : value
  const different = comparisons.find(([, given, expected]) => plain(given) !== plain(expected))
  if (different === undefined) return
  throw chainDisagrees(`${different[0]} is not what the chain has at block ${block}`, false)
}
