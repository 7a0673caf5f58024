import { expectEqual } from '../core/expect.ts'
import type { Expectation } from '../core/expectation.ts'
import * as shape from '../kit/assertions/shape.ts'
import {
  type Expectations,
  equals,
  equalsFact,
  required,
  satisfies,
  undecided,
} from './expectation.ts'

const isoTime: shape.Rule = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
    ? undefined
    : 'ISO 8601 in UTC'

const operatorErrorRules = {
  operator_address: shape.address,
  operator_id: shape.bytes32,
  error_code: ((value) => (Number.isInteger(value) ? undefined : 'a number')) as shape.Rule,
  message: shape.string,
  timestamp: isoTime,
  retryable: shape.boolean,
}

/** An entry of `operator_errors` has these members, and no others. */
const operatorError: Expectation = (error) => {
  shape.expectShape(error, operatorErrorRules, 'operator_errors[]')
  const members = Object.keys(operatorErrorRules).sort()
  expectEqual(Object.keys(error).sort(), members, 'members of an entry')
  return undefined
}

/** `-32602 ...`: the code of the refusal, and its message. */
const refusedWith = (code: number): Expectation =>
  satisfies(code, (answer) => String(answer).startsWith(`${code} `))

const accepted = equals('accepted')

export const tasks: Expectations = {
  'rpc.createTask.default-timeout': { 'slow-oracle': required },
  'rpc.createTask.observed.bare-hex-intent-signature': { answer: accepted },
  'rpc.createTask.observed.bare-hex-quorum-number': { answer: accepted },
  'rpc.createTask.observed.bare-hex-wasm-args': { answer: accepted },
  'rpc.sendTask.observed.bare-hex-intent-signature': { answer: accepted },
  'rpc.simulatePolicy.observed.bare-hex-intent-signature': { answer: accepted },
  'rpc.simulateTask.observed.bare-hex-intent-signature': { answer: accepted },
  'rpc.simulatePolicyData.observed.bare-hex-wasm-args': { answer: refusedWith(-32602) },
  'rpc.createTask.observed.timeout-zero': { answer: refusedWith(-32602) },
  'rpc.createTask.observed.timeout-negative': { answer: refusedWith(-32602) },
  'rpc.createTask.observed.timeout-huge': { answer: refusedWith(-32602) },
  'rpc.createTask.observed.quorum-number-*': { answer: refusedWith(-32602) },
  'rpc.sendTask.observed.quorum-number-*': { answer: refusedWith(-32602) },
  'rpc.createTask.observed.another-chain': { answer: undecided },
  'rpc.createTask.observed.unknown-client': { answer: undecided },
  'rpc.storeEncryptedSecrets.observed.client-without-contract': { answer: undecided },
  'rpc.storeEncryptedSecrets.observed.data-without-contract': { answer: undecided },
  'rpc.simulatePolicyDataWithClient.observed.no-contract': { answer: undecided },
  'rpc.simulatePolicy.observed.no-contract': { answer: undecided },
  'rpc.intent.observed.*': {
    'input-function': equals(null),
  },
  'rpc.createTask.observed.camel-case': {
    answer: refusedWith(-32602),
  },
  'rpc.operators.away.named': {
    'operator-error': operatorError,
    'named-operators': equalsFact('away'),
    retryable: satisfies(
      (_, value) => (value as readonly unknown[]).map(() => true),
      (retryable: readonly unknown[]) => retryable.every((each) => each === true),
    ),
  },
  'rpc.operators.oracle-failure': {
    messages: equals(['WASM execution failed: unavailable']),
    'operator-error': operatorError,
    'named-operators': equalsFact('all'),
  },
}
