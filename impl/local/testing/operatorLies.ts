import type { Data } from 'polgate-protocol/scalars.ts'
import { type BlsKey, blsKey } from 'polgate-service/attestation/bls.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import { hashToCurve } from 'polgate-service/attestation/hashToCurve.ts'
import type { G1Point } from 'polgate-service/attestation/types.ts'
import type { DataAnswer, SignAnswer, SignRequest } from 'polgate-service/operators/operator.ts'
import { regoFailed } from 'polgate-service/operators/operatorErrors.ts'
import { taskResponseOf } from 'polgate-service/operators/taskResponse.ts'
import type { OperatorFault } from 'polgate-service/tasks/testing/faultyOperators.ts'
import { after, deaf, never } from 'polgate-service/tasks/testing/faultyOperators.ts'
import { encodeAbiParameters, keccak256, toHex } from 'viem'
import { devOperators } from '../devKeys.ts'

export const keys: readonly BlsKey[] = devOperators.map(({ blsKey: secret }) =>
  blsKey(Buffer.from(secret.slice(2), 'hex')),
)
/** Signs another result than the request asks for, with the key of an operator. */
export function signatureOver(
  request: SignRequest,
  result: Data,
  { by = 3, data }: { readonly by?: number; readonly data?: string } = {},
): SignAnswer['signature'] {
  const response = taskResponseOf(request.draft, request.evaluation.intent, result)
  const policyData = response.policyTaskData.policyData.map((entry) =>
    data === undefined ? entry : { ...entry, data: toHex(data) },
  )
  const signed = { ...response, policyTaskData: { ...response.policyTaskData, policyData } }
  return point(keys[by]!.sign(responseDigest(signed)))
}
const point = ({ X, Y }: G1Point) => ({ X: toHex(X), Y: toHex(Y) })
const decision = (allow: boolean) => encodeAbiParameters([{ type: 'bool' }], [allow])
export const [allow, deny] = [decision(true), decision(false)]
const order = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

export const data = (make: (honest: DataAnswer) => unknown): OperatorFault => ({
  data: async (honest) => make(await honest()),
})
const outputs = (...texts: unknown[]): OperatorFault =>
  data((honest) => ({ ...honest, outputs: texts }))
export const price = (by: string): OperatorFault =>
  data((honest) => ({
    ...honest,
    outputs: honest.outputs.map((text) => text.replace('"price":2000', `"price":${by}`)),
  }))
export const sign = (
  make: (honest: SignAnswer, request: SignRequest) => unknown,
): OperatorFault => ({
  sign: async (honest, request) => make(await honest(), request),
})
export const signature = (make: (request: SignRequest) => SignAnswer['signature']): OperatorFault =>
  sign((honest, request) => ({ ...honest, signature: make(request) }))

export const late = {
  code: -32603,
  retryable: true,
  message: 'operator unreachable: no answer in time',
}
const malformed = (what: string) => ({
  code: -32603,
  retryable: false,
  message: `invalid operator answer: ${what}`,
})
export const deviates = {
  code: -32620,
  retryable: true,
  message: 'policy data deviates from the median by more than 10 %',
}
export const differs = {
  code: -32620,
  retryable: true,
  message: 'policy data differs from the data of the quorum',
}
export const refused = (message: string | RegExp) => ({
  code: -32603,
  retryable: false,
  message:
    typeof message === 'string'
      ? `invalid operator signature: ${message}`
      : new RegExp(`^invalid operator signature: ${message.source}$`),
})
const wrong = refused("does not verify against the operator's key")
export const equivocated = refused(
  /operator equivocated: returned 0x[0-9a-f]{64}, signed 0x[0-9a-f]{64}/,
)
const noObject = malformed('data is not a JSON object')

/** How long the stack under test waits for other operators, milliseconds. */
export const graceMs = 400

/** How a fault appears in `operator_errors`. */
export type Entry = {
  readonly code: number
  readonly retryable: boolean
  readonly message: string | RegExp
}
/** The response of a faulty operator, and the expected error. */
export const faults: readonly (readonly [string, OperatorFault, Entry])[] = [
  [
    'data too late',
    {
      // Counted from its own response: the first run of an oracle takes long for all of them.
      data: async (honest) => {
        const answer = await honest()
        return await after(3 * graceMs, async () => answer)
      },
    },
    late,
  ],
  ['no data', { data: (_, signal) => never(signal) }, late],
  ['no data, deaf to its signal', { data: deaf }, late],
  ['a number far off', price('4000'), deviates],
  ['a number beyond a double', price('1e999'), deviates],
  ['a number next to nothing', price('1e-400'), deviates],
  ['zero below zero', price('-0'), deviates],
  ['a number with an exponent of ten digits', price('2e9999999999'), deviates],
  ['another type', price('"2000"'), differs],
  ['an array for a number', price('[2000]'), differs],
  ['an empty object', outputs('{}'), differs],
  ['another key', outputs('{"price_feed":{"prix":2000}}'), differs],
  ['a key in another form of Unicode', outputs('{"e\u0301":1}'), differs],
  ['a key that is a prototype', outputs('{"__proto__":{"price_feed":{"price":2000}}}'), differs],
  ['no JSON', outputs('{'), noObject],
  ['an array', outputs('[]'), noObject],
  ['a deep object', outputs(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`), noObject],
  ['two megabytes', outputs(JSON.stringify({ a: 'x'.repeat(2 * 1024 * 1024) })), noObject],
  ['an object that is not a string', outputs({ price_feed: { price: 2000 } }), noObject],
  [
    'many values',
    outputs(`{"a":[${'1,'.repeat(30_000)}1]}`),
    malformed('data has more than 20000 values'),
  ],
  [
    'a number of many digits',
    price(`2000.${'0'.repeat(5_000)}`),
    malformed('a number has more than 1024 characters'),
  ],
  ['one output too few', outputs(), malformed('wrong number of outputs')],
  ['one output too many', outputs('{}', '{}'), malformed('wrong number of outputs')],
  ['null', data(() => null), malformed('wrong number of outputs')],
  ['a text', data(() => 'data'), malformed('wrong number of outputs')],
  [
    'an error with a NUL, half a character and two megabytes',
    { data: () => Promise.reject(regoFailed(`\0\ud800${'x'.repeat(2 * 1024 * 1024)}`)) },
    { code: -32615, retryable: false, message: /^Rego evaluation failed: \ufffd\ufffdx{1900}/ },
  ],
  [
    'an error that nobody foresaw',
    { data: () => Promise.reject(new TypeError('secret')) },
    { code: -32603, retryable: true, message: 'operator failed' },
  ],
  ['its signature too late', { sign: (honest) => after(3 * graceMs, honest) }, late],
  ['no signature', { sign: (_, __, signal) => never(signal) }, late],
  [
    'a point off the curve',
    signature(() => ({ X: '0x01', Y: '0x03' })),
    refused('not a point on the curve'),
  ],
  [
    'coordinates above the modulus',
    sign(({ signature: { X, Y }, ...rest }) => ({
      ...rest,
      signature: { X: toHex(BigInt(X) + order, { size: 32 }), Y },
    })),
    refused('not a point on the curve'),
  ],
  [
    'the point at infinity',
    signature(() => ({ X: '0x0', Y: '0x0' })),
    refused('point at infinity'),
  ],
  ['a random point', signature(() => point(hashToCurve(keccak256('0x1234')))), wrong],
  [
    'a signature over another digest',
    signature(() => point(keys[3]!.sign(keccak256('0x00')))),
    wrong,
  ],
  [
    'a copy of the signature of a neighbour',
    signature((request) => signatureOver(request, allow, { by: 1 })),
    refused(`signed with the key of another operator, ${keys[1]!.operatorId}`),
  ],
  [
    'another result, well signed',
    sign((honest, request) => ({
      ...honest,
      evaluationResult: deny,
      signature: signatureOver(request, deny),
    })),
    refused('signs another result'),
  ],
  [
    'one result told and another signed',
    signature((request) => signatureOver(request, deny)),
    equivocated,
  ],
  [
    'another result told than it signed',
    sign((honest) => ({ ...honest, evaluationResult: '0x02' })),
    equivocated,
  ],
  [
    'a result of letters',
    sign((honest) => ({ ...honest, evaluationResult: '0xzz' })),
    malformed('result is not hex bytes'),
  ],
  [
    'a signature of text',
    sign((honest) => ({ ...honest, signature: '0x' })),
    malformed('signature has no valid coordinates'),
  ],
  ['nothing', sign(() => undefined), malformed('result is not hex bytes')],
]
