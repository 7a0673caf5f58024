import { operatorsOf } from 'polgate-service/attestation/testing/operatorSet.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import { TaskFailure } from 'polgate-service/tasks/taskErrors.ts'
import {
  allow,
  honestOperator,
  honestOutput,
  runPhases,
  signed,
} from 'polgate-service/tasks/testing/pipeline.ts'
import { type Hex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createOperatorFaults } from './operatorFaults.ts'

const deny: Hex = `0x${'0'.repeat(64)}`
const { keys, setOf } = operatorsOf(
  'faults of operators',
  [40n, 30n, 20n, 10n].map((stake) => [stake, undefined]),
)
const set = setOf([0])

/** Operators of which the policy decides so, with their faults. */
function operatorsThatDecide(result: Hex) {
  const honest = keys.map((key, at) => ({
    ...honestOperator(set, at, key),
    sign: async (request: Parameters<Operator['sign']>[0]) => signed(request, key, result),
  }))
  const faults = createOperatorFaults(
    new Map(honest.map(({ address }, at) => [address.toLowerCase(), keys[at]!])),
  )
  return { faults, operators: honest.map(faults.around) }
}

async function taskOf(
  kind: 'lie-data' | 'lie-decision' | 'refuse',
  liars: readonly number[],
  { result = allow as Hex, threshold = 67 } = {},
) {
  const { faults, operators } = operatorsThatDecide(result)
  for (const at of liars) faults.set(operators[at]!.address, { kind })
  return await runPhases({ set, operators, threshold })
}

const summaryOf = (outcome: Awaited<ReturnType<typeof taskOf>>) =>
  outcome instanceof TaskFailure
    ? outcome.failureType
    : `${outcome.response.evaluationResult === allow ? 'allow' : 'deny'}, ${outcome.errors.map(({ message }) => message).join('; ')}`

describe('operators with stakes 40, 30, 20 and 10, at a threshold of 67', () => {
  it.each<[Parameters<typeof taskOf>[0], number[], Hex, string | RegExp]>([
    // Less stake than the others need: the truth is signed, and the lie is reported.
    ['lie-data', [3], allow, 'allow, policy data deviates from the median by more than 10 %'],
    ['lie-decision', [3], allow, 'allow, invalid operator signature: signs another result'],
    ['lie-decision', [3], deny, /^deny, invalid operator signature: operator equivocated/],
    ['refuse', [3], deny, 'deny, operator refuses: it was told to'],
    // Enough to block.
    ['lie-data', [0], allow, 'quorum_not_reached'],
    ['lie-decision', [0], allow, 'quorum_not_reached'],
    ['lie-decision', [0], deny, 'signature_verification_failed'],
    ['refuse', [0], deny, 'quorum_not_reached'],
    // The stake of a quorum, and all of it.
    ['lie-data', [0, 1], allow, 'quorum_not_reached'],
    ['lie-data', [0, 1, 2, 3], allow, 'quorum_not_reached'],
    ['lie-decision', [0, 1], deny, 'signature_verification_failed'],
    ['lie-decision', [0, 1, 2, 3], deny, 'signature_verification_failed'],
    ['refuse', [0, 1, 2, 3], allow, 'quorum_not_reached'],
    // A false denial is one: a quorum of liars denies what the policy allows.
    ['lie-decision', [0, 1, 2, 3], allow, 'deny, '],
  ])('%s of %j where the policy decides %s', async (kind, liars, result, expected) => {
    const summary = summaryOf(await taskOf(kind, liars, { result }))
    if (typeof expected === 'string') expect(summary).toBe(expected)
    else expect(summary).toMatch(expected)
  })

  it('sign nothing over false data that settles, because one of them reaches the threshold alone', async () => {
    const outcome = await taskOf('lie-data', [0, 1, 2, 3], { threshold: 1 })
    if (!(outcome instanceof TaskFailure)) throw new Error('it was signed')
    expect(outcome.operatorErrors?.map(({ message }) => message)).toContain(
      'operator refuses: the settled data is false data that it reported',
    )
  })

  it('settle on the truth while those who tell it reach the threshold', async () => {
    const outcome = await taskOf('lie-data', [0], { threshold: 60 })
    if (outcome instanceof TaskFailure) throw outcome
    expect(outcome.response.policyTaskData.policyData[0]!.data).toBe(toHex(honestOutput))
  })
})

describe('an operator', () => {
  const request = {
    policyClient: `0x${'01'.repeat(20)}`,
    sources: [],
    referenceBlock: 7,
  } as const

  it('answers later, unless the caller leaves', async () => {
    const { faults, operators } = operatorsThatDecide(allow)
    const [operator] = operators as [Operator, ...Operator[]]
    faults.set(operator.address.toUpperCase().replace('0X', '0x'), { kind: 'delay', delayMs: 30 })
    const begin = performance.now()
    await operator.collectData(request, new AbortController().signal)
    expect(performance.now() - begin).toBeGreaterThan(25)
    faults.set(operator.address, { kind: 'delay', delayMs: 60_000 })
    const leaving = new AbortController()
    const asked = operator.collectData(request, leaving.signal)
    leaving.abort(new Error('left'))
    await expect(asked).rejects.toThrow('left')
  })

  it('is without a fault after a reset, and still signs no lie of before', async () => {
    const { faults, operators } = operatorsThatDecide(allow)
    const [operator] = operators as [Operator, ...Operator[]]
    const { signal } = new AbortController()
    faults.set(operator.address, { kind: 'lie-data' })
    const { outputs } = await operator.collectData(request, signal)
    expect(outputs).toEqual(['{"feed":{"price":4000,"rate":2.20}}'])
    faults.reset()
    expect(faults.of(operator.address)).toEqual({ kind: 'none' })
    expect((await operator.collectData(request, signal)).outputs).toEqual([honestOutput])
    const signing = { evaluation: { data: outputs } } as unknown as Parameters<Operator['sign']>[0]
    await expect(operator.sign(signing, signal)).rejects.toThrow('operator refuses: the settled')
  })

  it('answers simulations truthfully: nobody else is asked', async () => {
    const { faults, operators } = operatorsThatDecide(allow)
    const [operator] = operators as [Operator, ...Operator[]]
    faults.set(operator.address, { kind: 'lie-data' })
    const { outputs } = await operator.collectData(
      { ...request, referenceBlock: undefined },
      new AbortController().signal,
    )
    expect(outputs).toEqual([honestOutput])
  })
})
