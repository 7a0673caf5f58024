import type { Address } from 'polgate-protocol/scalars.ts'
import { describe, expect, it } from 'vitest'
import { operatorsOf } from '../attestation/testing/operatorSet.ts'
import type { OpeningTask, Operator, SignAnswer } from '../operators/operator.ts'
import { operatorUnreachable } from '../operators/operatorErrors.ts'
import type { PrivateUses } from '../operators/privateUses.ts'
import { operatorThat } from '../operators/testing/echoOperator.ts'
import type { KeyHolder } from '../threshold/keyHolder.ts'
import type { OpeningRequest, SealedPartial } from '../threshold/opening.ts'
import { ThresholdError } from '../threshold/thresholdError.ts'
import { memberErrors } from './memberErrors.ts'
import { openPrivateData } from './openPrivateData.ts'
import { createOperatorLatency } from './operatorLatency.ts'
import { createPartialErrors } from './partialErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { stakesOf } from './stakeRule.ts'
import { noStopwatch } from './stopwatch.ts'
import type { TaskContext } from './taskContext.ts'
import type { TaskDeps, TaskPrivateData } from './taskDeps.ts'

const { keys, setOf } = operatorsOf('opening', [[10n], [10n], [10n], [10n]])
const set = setOf([0])
const addresses = set.operators.map(({ account }) => account)
const stakes = stakesOf(set, 67)
const uses: PrivateUses = { identity: true, confidential: [], privacy: true }

const requestOf = (at: number): OpeningRequest => ({
  opener: addresses[at]!,
  ...{ envelope: 'sealed', claim: 'claim' },
  statement: { body: '{}', signature: at.toString(16).repeat(128) },
})
const sealedOf = (place: number): SealedPartial => ({ place, sealed: 'ab'.repeat(40) })

type Given = {
  readonly operator?: (at: number) => Partial<Operator>
  readonly holder?: (at: number) => Partial<KeyHolder>
  readonly privateData?: Partial<TaskPrivateData>
}

/** The stage with operators and members that answer, except where a test says otherwise. */
function stage({ operator = () => ({}), holder = () => ({}), privateData = {} }: Given = {}) {
  const asked: (readonly [number, string])[] = []
  const begun: OpeningTask[] = []
  const operators = addresses.map((address, at) =>
    operatorThat({
      ...{ address, id: keys[at]!.operatorId },
      beginOpening: async (task) => {
        begun.push(task)
        return { requests: [requestOf(at)] }
      },
      ...operator(at),
    }),
  )
  const holders = addresses.map(
    (address, at) =>
      ({
        address,
        open: async ({ opener }: OpeningRequest) => {
          asked.push([at, opener])
          return sealedOf(at + 1)
        },
        ...holder(at),
      }) as unknown as KeyHolder,
  )
  const deps = {
    ...{ operators, clock: Date.now, graceMs: 20, stopwatch: noStopwatch },
    privateData: {
      usesOf: async () => uses,
      envelopesFor: async () => ['registered'],
      members: { needed: 3, holders },
      ...privateData,
    },
  } as unknown as TaskDeps
  const task = {
    ...{ policyClient: addresses[0], intent: {}, intentSignature: null, privacy: { bid: 'own' } },
  } as unknown as PreparedTask
  const data = { outputs: [], policyTaskData: {}, seen: new Map(), operators, errors: [] }
  const context = { client: { policyCid: 'policy', blockNumber: 7 }, stakes }
  return {
    ...{ asked, begun, deps, operators },
    opened: openPrivateData(deps, {
      ...{ task, context: context as unknown as TaskContext, data: data as never },
      ...{ taskId: `0x${'07'.repeat(32)}`, nonce: 2, signal: new AbortController().signal },
      operatorLatency: createOperatorLatency({ clock: Date.now }),
      witness: createPartialErrors({ clock: Date.now }),
    }),
  }
}

const textOf = (errors: readonly { operator_address: string; message: string }[]) =>
  errors.map(
    ({ operator_address: address, message }) =>
      `${addresses.indexOf(address as Address)} ${message}`,
  )

describe('between the phases, a gateway', () => {
  it('relays the requests of all openers to all members, and their answers back', async () => {
    const { opened, operators, asked, begun } = stage()
    const result = await opened
    expect(result).toMatchObject({ operators, errors: [], memberErrors: [] })
    expect(asked).toHaveLength(16)
    for (const operator of operators)
      expect(result.partialsOf(operator)).toEqual([[1, 2, 3, 4].map(sealedOf)])
    expect(begun[0]).toMatchObject({
      ...{ envelopes: ['registered'], privacy: { bid: 'own' } },
      ...{ referenceBlock: 7, nonce: 2 },
    })
  })

  it('sends a request that operators share once', async () => {
    const { opened, operators, asked } = stage({
      operator: () => ({ beginOpening: async () => ({ requests: [requestOf(0)] }) }),
    })
    const result = await opened
    expect(asked).toHaveLength(4)
    expect(result.partialsOf(operators[3]!)).toEqual([[1, 2, 3, 4].map(sealedOf)])
  })

  it('asks nobody for a policy without private data, nor for one that it cannot read', async () => {
    const usesOf = [
      async () => ({ identity: false, confidential: [], privacy: false }),
      async () => Promise.reject(new Error('not compiled')),
    ]
    for (const own of usesOf) {
      const { opened, operators, asked, begun } = stage({ privateData: { usesOf: own } })
      const result = await opened
      expect([asked, begun]).toEqual([[], []])
      expect(result.partialsOf(operators[0]!)).toBeUndefined()
      expect(result.operators).toEqual(operators)
    }
  })

  it('needs no members with a single key', async () => {
    const { opened, operators } = stage({
      operator: () => ({ beginOpening: async () => ({ requests: [] }) }),
      privateData: { members: undefined },
    })
    expect((await opened).partialsOf(operators[0]!)).toEqual([])
  })

  it('goes on without operators that refuse, and fails without a quorum of others', async () => {
    const refusing = (those: readonly number[]) => (at: number) =>
      those.includes(at)
        ? { beginOpening: async () => Promise.reject(operatorUnreachable('gone')) }
        : {}
    const { opened, operators } = stage({ operator: refusing([3]) })
    const result = await opened
    expect(result.operators).toEqual(operators.slice(0, 3))
    expect(textOf(result.errors)).toEqual(['3 operator unreachable: gone'])
    await expect(stage({ operator: refusing([2, 3]) }).opened).rejects.toThrow('Quorum not reached')
  })

  it.each<[string, unknown]>([
    ['no object', null],
    ['more requests than envelopes', { requests: [0, 1, 2].map(requestOf) }],
    ['another thing', { requests: [{ ...requestOf(0), statement: 'x' }] }],
  ])('excludes an operator that answers with %s', async (_, answer) => {
    const { opened } = stage({
      operator: (at) => (at === 0 ? { beginOpening: async () => answer as never } : {}),
    })
    const { errors } = await opened
    expect(textOf(errors)).toEqual([expect.stringMatching(/^0 invalid operator answer: /)])
  })

  it('reports members that refuse, hang or answer for another one', async () => {
    const { opened, operators } = stage({
      holder: (at) =>
        [
          { open: () => new Promise<never>(() => {}) },
          { open: async () => sealedOf(1) },
          { open: async () => Promise.reject(new ThresholdError('state', 'holds no share')) },
          {},
        ][at]!,
    })
    const result = await opened
    expect(result.errors).toEqual([])
    expect(textOf(result.memberErrors)).toEqual([
      '1 invalid operator answer: answer of another member',
      '2 holds no share',
      '0 operator unreachable: no answer in time',
    ])
    expect(result.partialsOf(operators[0]!)).toEqual([[sealedOf(4)]])
  })
})

describe('operator errors of members', () => {
  it('name invalid partial decryptions once, with all that say so, and leave earlier errors alone', async () => {
    const { deps, operators } = stage()
    const says = (at: number, ...wrongPartials: Address[]) => ({
      operator: operators[at]!,
      answer: { wrongPartials } as unknown as SignAnswer,
    })
    const upper = addresses[1]!.toUpperCase().replace('0X', '0x') as Address
    const known = [{ operator_id: operators[2]!.id }] as never
    const errors = memberErrors(deps, {
      answers: [says(0, upper, addresses[2]!), says(3, addresses[1]!, `0x${'99'.repeat(20)}`)],
      opened: { memberErrors: [] },
      known,
    })
    expect(textOf(errors)).toEqual([
      `1 invalid partial decryption, says ${addresses[0]}, ${addresses[3]}`,
    ])
    expect(errors[0]).toMatchObject({ retryable: false, error_code: -32603 })
  })
})
