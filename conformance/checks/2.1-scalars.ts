import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { type Fault, observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { createTask, expectTask, taskParams, transferIntent } from '../kit/scenarios/requests.ts'
import { simulatePolicyDataSubject } from '../kit/scenarios/secretsSubjects.ts'
import { allowingPolicy, evaluate, policyOf } from '../kit/scenarios/simulation.ts'
import {
  createTaskSubject,
  sendTaskSubject,
  simulatePolicySubject,
  simulateTaskSubject,
} from '../kit/scenarios/subjects.ts'

/** Section 2.1: scalar types. Tested with a simulation, which is cheap; tasks share the types. */
const faults: readonly Fault[] = [
  {
    // 2.1-01: A Quantity is a hex string with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-no-prefix',
    path: 'intent.value',
    value: '10',
    clauses: ['2.1-01'],
  },
  {
    // 2.1-02: A Quantity is in its most compact form: without leading zeros.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-leading-zero',
    path: 'intent.value',
    value: '0x01',
    clauses: ['2.1-02'],
  },
  {
    // 2.1-03: The Quantity zero is 0x0.
    // 2.1-02: A Quantity is in its most compact form: without leading zeros.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-two-zeros',
    path: 'intent.value',
    value: '0x00',
    clauses: ['2.1-03', '2.1-02'],
  },
  {
    // 2.1-03: The Quantity zero is 0x0.
    // 2.1-01: A Quantity is a hex string with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-empty',
    path: 'intent.value',
    value: '0x',
    clauses: ['2.1-03', '2.1-01'],
  },
  {
    // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-number',
    path: 'intent.value',
    value: 16,
    clauses: ['2.1-16'],
  },
  {
    // 2.1-17: Hex digits outside 0-9 and a-f are refused.
    // 2.1-01: A Quantity is a hex string with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-bad-digit',
    path: 'intent.value',
    value: '0x1g',
    clauses: ['2.1-17', '2.1-01'],
  },
  {
    // 2.1-01: A Quantity is a hex string with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-negative',
    path: 'intent.value',
    value: '-0x1',
    clauses: ['2.1-01'],
  },
  {
    // 2.1-04: Data is a hex string with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.data-no-prefix',
    path: 'intent.data',
    value: 'abcd',
    clauses: ['2.1-04'],
  },
  {
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.data-odd',
    path: 'intent.data',
    value: '0xabc',
    clauses: ['2.1-05'],
  },
  {
    // 2.1-17: Hex digits outside 0-9 and a-f are refused.
    // 2.1-04: Data is a hex string with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.data-bad-digit',
    path: 'intent.data',
    value: '0xzz',
    clauses: ['2.1-17', '2.1-04'],
  },
  {
    // 2.1-06: Empty Data is 0x.
    // 2.1-04: Data is a hex string with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.data-blank',
    path: 'intent.data',
    value: '',
    clauses: ['2.1-06', '2.1-04'],
  },
  {
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.address-short',
    path: 'intent.to',
    value: `0x${'11'.repeat(19)}`,
    clauses: ['2.1-07'],
  },
  {
    id: 'rpc.simulatePolicy.params.address-long',
    path: 'intent.to',
    value: `0x${'11'.repeat(21)}`,
    clauses: ['2.1-07'],
  },
  {
    id: 'rpc.simulatePolicy.params.address-no-prefix',
    path: 'intent.to',
    value: '11'.repeat(20),
    clauses: ['2.1-07'],
  },
  {
    // 2.1-17: Hex digits outside 0-9 and a-f are refused.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.address-bad-digit',
    path: 'intent.to',
    value: `0x${'1g'.repeat(20)}`,
    clauses: ['2.1-17', '2.1-07'],
  },
]

const accepted = (
  id: string,
  title: string,
  clauses: readonly string[],
  overrides: Record<string, string>,
): Check => ({
  id,
  title,
  clauses,
  level: 'must',
  profiles: ['simulation'],
  needs: simulatePolicySubject.needs,
  run: async (t) => {
    const intent = transferIntent(t, overrides)
    expectEqual(await evaluate(t, allowingPolicy, { intent }), true, 'the result')
  },
})

const letters = 'abcdef0123456789abcdefabcdefabcdefabcdef'

export const scalars: readonly Check[] = [
  ...faults.map((fault) => refusedMember(simulatePolicySubject, fault)),
  // 2.1-03: The Quantity zero is 0x0.
  accepted('rpc.scalar.accepted.quantity-zero', 'a value of 0x0 is accepted', ['2.1-03'], {
    value: '0x0',
  }),
  // 2.1-06: Empty Data is 0x.
  accepted('rpc.scalar.accepted.data-empty', 'data of 0x is accepted', ['2.1-06'], { data: '0x' }),
  accepted(
    // 2.1-08: Addresses are case-insensitive on the way in.
    'rpc.scalar.accepted.address-uppercase',
    'an address in upper case is accepted',
    ['2.1-08'],
    {
      to: `0x${letters.toUpperCase()}`,
    },
  ),
  {
    // 2.1-08: Addresses are case-insensitive on the way in.
    // 2.6-05: parsed_intent shows addresses in lowercase.
    id: 'rpc.scalar.address-case-insensitive',
    title: 'an address is the same to a policy in any case',
    clauses: ['2.1-08', '2.6-05'],
    level: 'must',
    profiles: ['simulation'],
    needs: simulatePolicySubject.needs,
    run: async (t) => {
      const policy = policyOf(`deny contains "another recipient" if not input.to == "0x${letters}"`)
      for (const text of [letters, letters.toUpperCase(), `A${letters.slice(1)}`]) {
        const intent = transferIntent(t, { to: `0x${text}` })
        expectEqual(await evaluate(t, policy, { intent }), true, `the result for 0x${text}`)
      }
    },
  },
  {
    // 2.1-01: A Quantity is a hex string with the 0x prefix.
    // 2.6-06: parsed_intent shows value as a number.
    id: 'rpc.scalar.quantity-256-bits',
    title: 'a value of 2^256 - 1 is accepted and exact in the policy',
    clauses: ['2.1-01', '2.6-06'],
    level: 'must',
    profiles: ['simulation'],
    needs: simulatePolicySubject.needs,
    run: async (t) => {
      const largest = 2n ** 256n - 1n
      const policy = policyOf(`deny contains "another value" if not input.value == ${largest}`)
      const intent = transferIntent(t, { value: `0x${largest.toString(16)}` })
      expectEqual(await evaluate(t, policy, { intent }), true, 'the result')
    },
  },
  refusedMember(simulatePolicySubject, {
    // 2.2-03: value is required and a Quantity of wei.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.quantity-257-bits',
    path: 'intent.value',
    value: `0x1${'0'.repeat(64)}`,
    clauses: ['2.2-03'],
  }),
  observedMember(createTaskSubject, {
    // 2.1-13: What a gateway does with hex without 0x in wasm_args, intent_signature and
    //   quorum_number.
    id: 'rpc.createTask.observed.bare-hex-intent-signature',
    path: 'intent_signature',
    value: '11'.repeat(65),
    clauses: ['2.1-13'],
  }),
  observedMember(createTaskSubject, {
    id: 'rpc.createTask.observed.bare-hex-quorum-number',
    path: 'quorum_number',
    value: '00',
    clauses: ['2.1-13'],
  }),
  observedMember(createTaskSubject, {
    id: 'rpc.createTask.observed.bare-hex-wasm-args',
    path: 'wasm_args',
    value: '7b7d',
    clauses: ['2.1-13'],
  }),
  observedMember(sendTaskSubject, {
    id: 'rpc.sendTask.observed.bare-hex-intent-signature',
    path: 'intent_signature',
    value: '11'.repeat(65),
    clauses: ['2.1-13'],
  }),
  observedMember(simulatePolicySubject, {
    id: 'rpc.simulatePolicy.observed.bare-hex-intent-signature',
    path: 'intent_signature',
    value: '11'.repeat(65),
    clauses: ['2.1-13'],
  }),
  observedMember(simulateTaskSubject, {
    id: 'rpc.simulateTask.observed.bare-hex-intent-signature',
    path: 'intent_signature',
    value: '11'.repeat(65),
    clauses: ['2.1-13'],
  }),
  observedMember(simulatePolicyDataSubject, {
    id: 'rpc.simulatePolicyData.observed.bare-hex-wasm-args',
    path: 'wasm_args',
    value: '7b7d',
    clauses: ['2.1-13'],
  }),
  {
    // 2.1-08: Addresses are case-insensitive on the way in.
    // 4.2-03: policy_client is required and an Address.
    id: 'rpc.createTask.addresses-any-case',
    title: 'a task with the client’s address in upper case is accepted',
    clauses: ['2.1-08', '4.2-03'],
    level: 'must',
    needs: createTaskSubject.needs,
    run: async (t) => {
      const params = taskParams(t)
      const client = `0x${params.policy_client.slice(2).toUpperCase()}`
      expectTask(await createTask(t, { ...params, policy_client: client }))
    },
  },
]
