import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { encodeFunctionData, type Hex, toHex } from 'viem'
import type { CheckContext } from '../../core/context.ts'
import type { JsonObject } from '../../core/expect.ts'
import type { Attestation } from '../../crypto/attestation.ts'
import { lacking } from '../../targets/targetLine.ts'
import { devNode } from '../assertions/contract.ts'
import type { ChainFork } from './chainFork.ts'
import { shownTask } from './explorerShown.ts'
import { minedReceipt } from './minedReceipt.ts'
import { ownOperator } from './ownOperator.ts'
import { createTaskSubject } from './subjects.ts'

/** Temporarily changes the operator set of the target's chain: it runs alone. */
export const lifeNeeds = [...createTaskSubject.needs, 'explorer', 'chain:dev'] as const

const denied = toHex(0n, { size: 32 })
const anybody: Hex = '0xc4a11e46e4c4a11e46e4c4a11e46e4c4a11e46e5'

/** A task of the suite's operator on the target's chain, as the explorer shows it step by step. */
export type PostedLife = {
  readonly attestation: Attestation
  readonly created: JsonObject
  readonly responded: JsonObject
  readonly hashes: Readonly<Record<'created' | 'responded', Hex>>
  /** An unsuccessful challenge, then a successful one; undefined if the target takes no such ones. */
  readonly challenges:
    | Readonly<
        Record<'unsuccessful' | 'success', { readonly hash: Hex; readonly shown: JsonObject }>
      >
    | undefined
}

/** The target's development chain, on which the suite can impersonate any account. */
function ownChain(t: CheckContext): ChainFork {
  const client = t.chain()
  return {
    client,
    context: t,
    mine: async (blocks) => void (await devNode(t, 'anvil_mine', [toHex(blocks)])),
    head: async () => Number(await client.getBlockNumber({ cacheTime: 0 })),
    send: async (from, to, data) => {
      await devNode(t, 'anvil_impersonateAccount', [from])
      try {
        const balance = await client.getBalance({ address: from })
        if (balance < 10n ** 18n) await devNode(t, 'anvil_setBalance', [from, toHex(10n ** 18n)])
        const gas = toHex(10_000_000)
        const hash = (await devNode(t, 'eth_sendTransaction', [{ from, to, data, gas }])) as Hex
        const receipt = await minedReceipt(t, hash)
        if (receipt.status !== 'success') throw new Error(`a transaction of ${from} reverted`)
        return receipt
      } finally {
        await t.cleanup(() => devNode(t, 'anvil_stopImpersonatingAccount', [from]))
      }
    },
  }
}

export const postedLife = (t: CheckContext): Promise<PostedLife> =>
  t.once('explorer: posted life', async () => {
    const manager = t.target.chain?.taskManager
    if (manager === undefined) throw lacking('the target has no task manager', 'chain', t.target)
    const chain = ownChain(t)
    const operator = await ownOperator(t, chain)
    await operator.register(3n * operator.others)
    try {
      const of = { nonce: 11, referenceBlock: await chain.head() }
      const attestation = await operator.attest(of)
      const second = await operator.attest({ ...of, result: denied })
      const { taskId } = attestation.task
      const created = await operator.postTask(attestation)
      const shownCreated = await shownTask(t, taskId)
      const responded = await operator.postResponse(attestation)
      const shownResponded = await shownTask(
        t,
        taskId,
        'the response',
        (row) => row.task_responded_at !== null,
      )
      const challenge = async (evidence: Attestation, result: string) => {
        const { task, response, signatureData } = evidence
        const data = encodeFunctionData({
          abi: taskManagerAbi,
          functionName: 'challengeTask',
          args: [task, response, signatureData],
        })
        const { transactionHash } = await chain.send(anybody, manager, data)
        const shown = await shownTask(
          t,
          taskId,
          `challenge_result ${result}`,
          (row) => row.challenge_result === result,
        )
        return { hash: transactionHash, shown }
      }
      const isTaken = t.target.notApplicable['challenge-form'] === undefined
      return {
        attestation,
        created: shownCreated,
        responded: shownResponded,
        hashes: { created, responded },
        challenges: isTaken
          ? {
              unsuccessful: await challenge(attestation, 'unsuccessful'),
              success: await challenge(second, 'success'),
            }
          : undefined,
      }
    } finally {
      await t.cleanup(operator.deregister)
      await t.cleanup(operator.withdraw)
    }
  })
