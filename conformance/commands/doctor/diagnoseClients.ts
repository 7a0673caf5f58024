import { policyAbi, sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { revertData } from 'polgate-chain/customErrors.ts'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type PublicClient,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Target } from '../../core/target.ts'
import { type Diagnosed, notOk, ok } from './diagnosis.ts'

/** What a call of a client to its policy changes for it (decision C9). */
export type OwnPolicy =
  /** Nothing: the client keeps the id that its owner set. */
  | 'kept'
  /** The policy: its id is what the policy has recorded for its caller, and its intents reach the policy. */
  | 'replaced by intents'
  /** The policy; whether the client makes such calls is not known. */
  | 'recorded by the policy'
  | 'unknown'

const marker = stringToHex('an id that no policy has set', { size: 32 })
const setPolicyCall = encodeFunctionData({
  ...{ abi: policyAbi, functionName: 'setPolicy' },
  args: [{ policyParams: '0x7b7d', expireAfter: 1 }],
})
/** Code that answers every call with a word, and reverts with it where a selector is called. */
const codeAnswering = (word: Hex, reverting: Hex): Hex =>
  `0x7f${word.slice(2)}5f525f3560e01c63${reverting.slice(2)}1460355760205ff35b60205ffd`
const setPolicySelector = toFunctionSelector(getAbiItem({ abi: policyAbi, name: 'setPolicy' }))
const policyCode = codeAnswering(marker, setPolicySelector)
/** A task manager that takes every attestation. */
const yes: Hex = `0x${'0'.repeat(63)}1`
const taskManagerCode = codeAnswering(
  yes,
  toFunctionSelector(getAbiItem({ abi: taskManagerAbi, name: 'challengeTask' })),
)

/**
 * Finds with `eth_call` whether a client keeps its policy id: the answer of a client must stay where
 * the code of its policy is replaced for the call. Nothing is sent.
 */
export async function ownPolicyOf(client: PublicClient, policyClient: Address): Promise<OwnPolicy> {
  const read = (functionName: 'getPolicyAddress' | 'getTaskManager') =>
    client.readContract({ address: policyClient, abi: sampleClientAbi, functionName })
  const [policy, taskManager] = await Promise.all([
    read('getPolicyAddress'),
    read('getTaskManager'),
  ])
  const stateOverride = [
    { address: policy, code: policyCode },
    { address: taskManager, code: taskManagerCode },
  ]
  const getPolicyId = encodeFunctionData({ abi: sampleClientAbi, functionName: 'getPolicyId' })
  const answerOf = async (to: Address): Promise<Hex | undefined> => {
    try {
      return (await client.call({ to, data: getPolicyId, stateOverride })).data
    } catch {
      return undefined
    }
  }
  // A node may ignore what it does not know.
  if ((await answerOf(policy)) !== marker) return 'unknown'
  const id = await answerOf(policyClient)
  if (id !== marker) return id === undefined ? 'unknown' : 'kept'
  const data = executionOf(policyClient, policy)
  try {
    await client.call({ account: zeroAddress, to: policyClient, data, stateOverride })
  } catch (error) {
    // The call reached the policy, and the client reports why it failed.
    if (revertData(error)?.includes(marker.slice(2))) return 'replaced by intents'
  }
  return 'recorded by the policy'
}

/** `executeIntent` of an intent that sets another configuration at the policy. */
function executionOf(policyClient: Address, policy: Address): Hex {
  const intent = {
    ...{ from: zeroAddress, to: policy, value: 0n, data: setPolicyCall },
    chainId: 0n,
    functionSignature: '0x',
  } as const
  const of = { taskId: zeroHash, policyClient, intent, intentSignature: '0x' } as const
  const policyOf = { policyId: marker, policyAddress: policy }
  const task = {
    ...{ ...of, nonce: 0, taskCreatedBlock: 0, quorumThresholdPercentage: 100 },
    wasmArgs: '0x',
    quorumNumbers: '0x00',
  } as const
  const response = {
    ...{ ...of, ...policyOf, evaluationResult: yes },
    policyTaskData: { ...policyOf, policy: '0x', policyData: [] },
    policyConfig: { policyParams: '0x', expireAfter: 0 },
  } as const
  return encodeFunctionData({
    ...{ abi: sampleClientAbi, functionName: 'executeIntent', args: [task, response, '0x'] },
  })
}

/** A note about clients whose policy a call of their own changes. The specification allows them. */
export async function diagnoseOwnPolicies(
  client: PublicClient,
  { clients }: Pick<Target, 'clients'>,
): Promise<readonly Diagnosed[]> {
  const entries = Object.entries(clients)
  const found = await Promise.all(
    entries.map(async ([name, { policyClient }]) => {
      const own = await ownPolicyOf(client, policyClient as Address).catch(() => 'unknown' as const)
      return { name, own }
    }),
  )
  const namesOf = (own: OwnPolicy) =>
    found.flatMap((each) => (each.own === own ? [each.name] : [])).join(', ')
  const room = 'own policy'
  const notes = [
    [
      namesOf('replaced by intents'),
      'an allowed intent to the policy replaces it',
      'Their policies must restrict input.to; or deploy them again with contracts that refuse such intents.',
    ],
    [
      namesOf('recorded by the policy'),
      'the policy id is what the policy recorded for its caller, so a call of the client to its policy replaces it',
      'Do they refuse intents to their policy? If not, their policies must restrict input.to.',
    ],
    [
      namesOf('unknown'),
      'it is not known whether an intent to the policy replaces it',
      'It needs a node whose eth_call takes state overrides.',
    ],
  ].flatMap(([names, says, hint]) =>
    names === '' ? [] : [notOk('warn', 'chain', room, `${names}: ${says}`, hint)],
  )
  if (notes.length > 0 || entries.length === 0) return notes
  return [ok('chain', room, `${entries.length} clients keep what their owner set`)]
}
