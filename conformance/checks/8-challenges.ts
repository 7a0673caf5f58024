import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { encodeFunctionData, type Hex, parseEventLogs, toHex } from 'viem'
import type { Check } from '../core/check.ts'
import { ConformanceError } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { type Attestation, encodeAttestation } from '../crypto/attestation.ts'
import { callContract, expectDecision } from '../kit/assertions/contract.ts'
import { observed } from '../kit/assertions/observed.ts'
import { type ChainFork, withFork } from '../kit/scenarios/chainFork.ts'
import { acceptedOr } from '../kit/scenarios/expectForm.ts'
import { ownOperator } from '../kit/scenarios/ownOperator.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'
import { lacking } from '../targets/targetLine.ts'

/** Sections 3 and 8, decision C13: the effect of a challenge, on a fork of the chain. */
const needs = [...createTaskSubject.needs, 'challenge-form'] as const

const anybody: Hex = '0xc4a11e46e4c4a11e46e4c4a11e46e4c4a11e46e4'
const denied = toHex(0n, { size: 32 })

type Posted = {
  readonly fork: ChainFork
  readonly posted: Attestation
  /** Another result of the same task, signed by the same quorum. */
  readonly second: Attestation
  /** Challenges from any account; returns the name of the event. */
  readonly challenge: (evidence: Attestation) => Promise<string | undefined>
  /** Simulates a challenge at another block: undefined, or the name of the error. */
  readonly challengeAt: (evidence: Attestation, block: number) => Promise<string | undefined>
  readonly respondedBlock: number
}

/** A contract that reverts may want other evidence, or another challenger. */
function notTaken(error: unknown): never {
  if (!(error instanceof ConformanceError)) throw error
  throw new ConformanceError('a challenge is refused', {
    expected: acceptedOr('challenge-form'),
    observed: 'the transaction reverted',
  })
}

/**
 * A task posted on the fork with its response, and a second response signed by the same operators.
 */
const withPosted = (t: CheckContext, run: (posted: Posted) => Promise<void>): Promise<void> =>
  withFork(t, async (fork) => {
    const address = t.target.chain?.taskManager
    if (address === undefined) throw lacking('the target has no task manager', 'chain', t.target)
    const operator = await ownOperator(t, fork)
    await operator.register(3n * operator.others)
    const of = { nonce: 7, referenceBlock: await fork.head() }
    const posted = await operator.attest(of)
    const second = await operator.attest({ ...of, result: denied })
    await operator.post(posted)
    const calldata = (evidence: Attestation) =>
      encodeFunctionData({
        abi: taskManagerAbi,
        functionName: 'challengeTask',
        args: [posted.task, evidence.response, evidence.signatureData],
      })
    await run({
      fork,
      posted,
      second,
      respondedBlock: await fork.head(),
      challenge: async (evidence) => {
        const { logs } = await fork.send(anybody, address, calldata(evidence)).catch(notTaken)
        return parseEventLogs({ abi: taskManagerAbi, logs })[0]?.eventName
      },
      challengeAt: async (evidence, block) => {
        const answer = await callContract(fork.context, calldata(evidence), anybody, BigInt(block))
        return answer.kind === 'refused' ? answer.error : undefined
      },
    })
  })

export const challenges: readonly Check[] = [
  {
    // 7.5-13: What a challenge requires, and its effect on the attestation.
    // 3-10: The challenge window is 100 blocks.
    id: 'chain.challenge.success',
    title: 'a second signed result is taken as a challenge; observed: its effect on both results',
    clauses: ['7.5-13', '3-10'],
    level: 'must',
    needs,
    twin: 'the attestation before it is challenged',
    run: async (t) => {
      await withPosted(t, async ({ fork, posted, second, challenge }) => {
        await t.twin(() => expectDecision(fork.context, posted, true))
        const event = await challenge(second)
        observed(t, 'event', 'the event', event)
        for (const each of [posted, second]) {
          const { policyClient } = each.task
          const answer = await callContract(fork.context, encodeAttestation(each), policyClient)
          const effect = answer.kind === 'refused' ? answer.error : `allowed: ${answer.allowed}`
          observed(t, 'effect', 'an attestation after the challenge', effect)
        }
      })
    },
  },
  {
    // 7.5-13: What a challenge requires, and its effect on the attestation.
    // 1-05: A contract can verify the attestation on chain.
    id: 'chain.challenge.unsuccessful',
    title: 'invalid evidence is recorded as such, and the attestation stays valid',
    clauses: ['7.5-13', '1-05'],
    level: 'must',
    needs,
    run: async (t) => {
      await withPosted(t, async ({ fork, posted, second, challenge }) => {
        const cases = {
          'the same result': posted,
          'another result with the signature of the first': {
            ...second,
            signatureData: posted.signatureData,
          },
          'an invalid signature': { ...second, signatureData: '0x1234' as const },
        }
        for (const [name, evidence] of Object.entries(cases)) {
          observed(t, 'event', name, await challenge(evidence))
          await expectDecision(fork.context, posted, true)
        }
      })
    },
  },
  {
    // 8-08: An attestation may be challenged for 100 blocks.
    // 3-10: The challenge window is 100 blocks.
    id: 'chain.challenge.window',
    title: 'a response can be challenged for 100 blocks, but not in the next block',
    clauses: ['8-08', '3-10'],
    level: 'must',
    needs,
    twin: 'the same challenge in the block after the response',
    run: async (t) => {
      await withPosted(t, async ({ second, respondedBlock, challengeAt }) => {
        const taken = async (after: number) => {
          const refusal = await challengeAt(second, respondedBlock + after)
          expectEqual(refusal, undefined, `the refusal of a challenge after ${after} blocks`)
        }
        await t.twin(() => taken(1))
        // Outside the twin: a window that closes early is a finding, not an inconclusive twin.
        await taken(50)
        await taken(100)
        const late = await challengeAt(second, respondedBlock + 101)
        expectThat(late !== undefined, 'a challenge after 101 blocks', 'a refusal', 'taken')
        t.observe(`after 101 blocks: ${late}`)
      })
    },
  },
]
