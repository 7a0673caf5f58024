import fc from 'fast-check'
import { toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { verifySignature } from '../attestation/bls.ts'
import { responseDigest } from '../attestation/digest.ts'
import type { DataAnswer, SignAnswer } from '../operators/operator.ts'
import { kindOfFault } from './operatorFaults.ts'
import { TaskFailure } from './taskErrors.ts'
import { count, faults, message, operatorsWith, world } from './testing/dishonestOperators.ts'
import { allow, honestOutput, runPhases } from './testing/pipeline.ts'

const stakes = fc.array(fc.bigInt({ min: 1n, max: 50n }), { minLength: count, maxLength: count })
const anyFault = fc.constantFrom(...Object.keys(faults))
const anyFaults = fc.array(fc.option(anyFault, { nil: undefined, freq: 2 }), {
  minLength: count,
  maxLength: count,
})
function holds(own: readonly bigint[], who: (at: number) => boolean, threshold: number) {
  const total = (some: readonly bigint[]) => some.reduce((sum, stake) => sum + stake, 0n)
  return total(own.filter((_, at) => who(at))) * 100n >= total(own) * BigInt(threshold)
}

describe('any combination of dishonest operators', () => {
  it('the honest result wins while honest operators hold the quorum, and each fault is reported once', async () => {
    await fc.assert(
      fc.asyncProperty(
        stakes,
        anyFaults,
        fc.integer({ min: 51, max: 100 }),
        async (own, what, threshold) => {
          fc.pre(holds(own, (at) => what[at] === undefined, threshold))
          const given = world(own)
          const outcome = await runPhases({
            set: given.one,
            operators: operatorsWith(given, what),
            threshold,
          })
          if (outcome instanceof TaskFailure) throw outcome
          const { response, digest, aggregation, errors } = outcome
          expect(response.evaluationResult).toBe(allow)
          expect(response.policyTaskData.policyData.map(({ data }) => data)).toEqual([
            toHex(honestOutput),
          ])
          expect(digest).toBe(responseDigest(response))
          expect(
            verifySignature(digest, aggregation.evidence.sigma, aggregation.evidence.apkG2),
          ).toBe(true)
          const honest = given.keys.filter((_, at) => what[at] === undefined)
          expect([...aggregation.signers].sort()).toEqual(
            honest.map(({ operatorId }) => operatorId).sort(),
          )
          expect(errors.map(({ operator_id }) => operator_id).sort()).toEqual(
            given.keys
              .filter((_, at) => what[at] !== undefined)
              .map(({ operatorId }) => operatorId)
              .sort(),
          )
          for (const error of errors) {
            const { message: expected } =
              faults[
                what[given.keys.findIndex(({ operatorId }) => operatorId === error.operator_id)]!
              ]!
            if (typeof expected === 'string') expect(error.message.startsWith(expected)).toBe(true)
            else expect(error.message).toMatch(expected)
            const retryable =
              kindOfFault(error.message) === 'unreachable' ||
              error.error_code === -32620 ||
              error.message === 'operator failed'
            expect(error.retryable).toBe(retryable)
          }
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)

  it('no result succeeds without signatures of a quorum, and honest operators alone are not enough', async () => {
    await fc.assert(
      fc.asyncProperty(
        stakes,
        anyFaults,
        fc.integer({ min: 1, max: 100 }),
        async (own, what, threshold) => {
          const given = world(own)
          const outcome = await runPhases({
            set: given.two,
            timeoutMs: 500,
            operators: operatorsWith(given, what),
            threshold,
          })
          if (outcome instanceof TaskFailure) {
            expect([
              'quorum_not_reached',
              'signature_verification_failed',
              'channel_error',
              'timeout',
            ]).toContain(outcome.failureType)
            return
          }
          const { digest, aggregation, response } = outcome
          expect(digest).toBe(responseDigest(response))
          expect(
            verifySignature(digest, aggregation.evidence.sigma, aggregation.evidence.apkG2),
          ).toBe(true)
          const signers = new Set(aggregation.signers)
          const signing = (at: number) => signers.has(given.keys[at]!.operatorId)
          expect(holds(own, signing, threshold)).toBe(true)
          // A counted operator signed this response: it has no signature fault.
          const signed = response.evaluationResult === allow ? undefined : 'signs another result'
          for (const [at, fault] of what.entries()) {
            if (signing(at) && faults[fault ?? '']?.sign !== undefined) expect(fault).toBe(signed)
          }
        },
      ),
      { numRuns: 40 },
    )
  }, 120_000)
})

describe('an arbitrary answer', () => {
  const anything = fc.anything({
    withNullPrototype: true,
    withBigInt: true,
    withSparseArray: true,
    withObjectString: true,
  })
  const hostile = fc.oneof(
    anything,
    fc.constant(
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('trap')
          },
        },
      ),
    ),
    fc.record({
      outputs: fc.oneof(fc.array(fc.oneof(fc.string(), fc.json(), anything)), anything),
      timings: anything,
    }),
    fc.record({
      evaluationResult: fc.oneof(anything, fc.constant(allow), fc.constant('0x1')),
      signature: fc.oneof(
        anything,
        fc.record({
          X: fc.oneof(anything, fc.constant('0x1')),
          Y: fc.oneof(anything, fc.constant('0x2')),
        }),
      ),
      reasons: anything,
      timings: anything,
    }),
  )

  it('causes no crash, no hang and no change of the result', async () => {
    const given = world(Array.from({ length: count }, () => 10n))
    await fc.assert(
      fc.asyncProperty(hostile, hostile, fc.boolean(), async (data, signature, inData) => {
        const operators = operatorsWith(given, [])
        const liar = operators[0]!
        operators[0] = {
          ...liar,
          ...(inData
            ? { collectData: () => Promise.resolve(data as DataAnswer) }
            : { sign: () => Promise.resolve(signature as SignAnswer) }),
        }
        const outcome = await runPhases({ set: given.one, operators, threshold: 67 })
        if (outcome instanceof TaskFailure) throw outcome
        expect(outcome.response.evaluationResult).toBe(allow)
        expect(outcome.response.policyTaskData.policyData[0]!.data).toBe(toHex(honestOutput))
        expect(outcome.errors.map(({ operator_id }) => operator_id)).toEqual([liar.id])
        expect(outcome.errors[0]!.message.length).toBeLessThan(4_000)
      }),
      { numRuns: 150 },
    )
  }, 120_000)
})

describe('an operator with two connections', () => {
  const given = world(Array.from({ length: count }, () => 10n))
  const honest = () => operatorsWith(given, [])
  const entry = {
    operator_id: given.keys[0]!.operatorId,
    message: message('connectedTwice'),
    retryable: false,
  }

  it('counts once, and is reported', async () => {
    const outcome = await runPhases({
      set: given.one,
      operators: [...honest(), honest()[0]!],
      threshold: 100,
    })
    if (outcome instanceof TaskFailure) throw outcome
    expect(outcome.errors).toEqual([expect.objectContaining(entry)])
    expect(outcome.aggregation.signers).toHaveLength(count)
  })

  it('counts with its own stake only', async () => {
    const few = honest().slice(0, 3)
    const outcome = await runPhases({
      set: given.one,
      operators: [...few, ...few, ...few],
      threshold: 67,
    })
    expect(outcome).toMatchObject({
      message: 'Quorum not reached: stake 30 of the required 47 signed',
    })
  })

  it('is not displaced by another that claims its id, in either order', async () => {
    const impostor = {
      ...operatorsWith(given, ['reports wrong text'])[0]!,
      address: given.one.operators[1]!.account,
    }
    for (const operators of [
      [impostor, ...honest()],
      [...honest(), impostor],
    ]) {
      const outcome = await runPhases({ set: given.one, operators, threshold: 100 })
      if (outcome instanceof TaskFailure) throw outcome
      expect(outcome.errors).toEqual([
        expect.objectContaining({ ...entry, operator_address: impostor.address }),
      ])
    }
  })

  it('has one id, regardless of case', async () => {
    const capitals = honest().map((each) => ({
      ...each,
      id: `0x${each.id.slice(2).toUpperCase()}` as const,
    }))
    const outcome = await runPhases({ set: given.one, operators: capitals, threshold: 100 })
    if (outcome instanceof TaskFailure) throw outcome
    expect(outcome.errors).toEqual([])
  })
})
