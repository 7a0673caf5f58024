import { keccak256, toHex } from 'viem'
import { hashToCurve } from '../../attestation/hashToCurve.ts'
import { operatorsOf } from '../../attestation/testing/operatorSet.ts'
import type { DataAnswer, Operator, SignAnswer } from '../../operators/operator.ts'
import { operatorFaults } from '../operatorFaults.ts'
import { deaf, never } from './faultyOperators.ts'
import { allow, honestOperator, honestOutput, signed } from './pipeline.ts'

export const count = 7
const other = `0x${'0'.repeat(64)}` as const
/** Operators with the given stakes; every other one is in a second quorum as well. */
export function world(own: readonly bigint[]) {
  const { keys, setOf } = operatorsOf(
    'byzantine',
    own.map((stake, at) => [stake, at % 2 === 0 ? stake : undefined]),
  )
  return { keys, one: setOf([0]), two: setOf([0, 1]) }
}
type World = ReturnType<typeof world>

/** The behaviour of a dishonest operator, and its reported message. */
type Fault = {
  readonly message: string | RegExp
  readonly data?: (at: number, signal: AbortSignal) => unknown
  readonly sign?: (
    at: number,
    request: Parameters<Operator['sign']>[0],
    world: World,
    signal: AbortSignal,
  ) => unknown
}
export const message = (name: keyof typeof operatorFaults) => operatorFaults[name].message
const answer = (output: string): DataAnswer => ({ outputs: [output], timings: {} })
const pointOf = ({ signature }: SignAnswer) => signature
export const faults: Readonly<Record<string, Fault>> = {
  'is late with data': { message: message('late'), data: (_, signal) => never(signal) },
  'hangs forever': { message: message('late'), data: deaf },
  refuses: { message: 'operator failed', data: () => Promise.reject(new Error('no')) },
  'reports a wrong number': {
    message: message('dataDeviates'),
    data: () => answer(honestOutput.replace('2000', '4000')),
  },
  'reports an infinite number': {
    message: message('dataDeviates'),
    data: () => answer(honestOutput.replace('2000', '1e999')),
  },
  'reports wrong text': { message: message('dataDiffers'), data: () => answer('{"feed":"allow"}') },
  'answers without JSON': { message: message('malformed'), data: () => answer('{') },
  'answers null': { message: message('malformed'), data: () => null },
  'is late with its signature': {
    message: message('late'),
    sign: (_, __, ___, signal) => never(signal),
  },
  'signs with an invalid point': {
    message: message('noPoint'),
    sign: (at, request, { keys }) => ({
      ...signed(request, keys[at]!, allow),
      signature: { X: '0x1', Y: '0x1' },
    }),
  },
  'signs with infinity': {
    message: message('infinity'),
    sign: (at, request, { keys }) => ({
      ...signed(request, keys[at]!, allow),
      signature: { X: '0x0', Y: '0x0' },
    }),
  },
  'signs at random': {
    message: message('wrongSignature'),
    sign: (at, request, { keys }) => {
      const { X, Y } = hashToCurve(keccak256(toHex(at)))
      return { ...signed(request, keys[at]!, allow), signature: { X: toHex(X), Y: toHex(Y) } }
    },
  },
  'signs with the key of a neighbour': {
    message: new RegExp(`^${message('anothersKey')}, 0x`),
    sign: (at, request, { keys }) => signed(request, keys[(at + 1) % count]!, allow),
  },
  'signs another result': {
    message: message('anotherResult'),
    sign: (at, request, { keys }) => signed(request, keys[at]!, other),
  },
  'returns one result and signs another': {
    message: new RegExp(`^${message('equivocated')}: returned 0x`),
    sign: (at, request, { keys }) => ({
      ...signed(request, keys[at]!, other),
      evaluationResult: allow,
    }),
  },
  'returns another result than it signs': {
    message: new RegExp(`^${message('equivocated')}: returned 0x`),
    sign: (at, request, { keys }) => ({
      ...signed(request, keys[at]!, allow),
      evaluationResult: other,
    }),
  },
  'returns a unique result with an invalid signature': {
    message: message('wrongSignature'),
    sign: (at, request, { keys }) => ({
      evaluationResult: toHex(`${at}`),
      signature: pointOf(signed(request, keys[at]!, toHex('?'))),
      reasons: [],
      timings: {},
    }),
  },
}

/** The operators of a world, each honest or with the fault named at its index. */
export function operatorsWith(given: World, what: readonly (string | undefined)[]): Operator[] {
  return given.keys.map((key, at) => {
    const honest = honestOperator(given.one, at, key)
    const fault = faults[what[at] ?? '']
    return {
      ...honest,
      collectData: async (request, signal) =>
        (await (fault?.data === undefined
          ? honest.collectData(request, signal)
          : fault.data(at, signal))) as DataAnswer,
      sign: async (request, signal) =>
        (await (fault?.sign === undefined
          ? honest.sign(request, signal)
          : fault.sign(at, request, given, signal))) as SignAnswer,
    }
  })
}
