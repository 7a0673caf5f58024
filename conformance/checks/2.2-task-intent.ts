import { anyIntent } from '../arbitraries/intent.ts'
import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import { expectEqual, expectObject, type JsonObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import {
  chainIdOf,
  createTask,
  expectTask,
  failureOf,
  taskParams,
  transferIntent,
} from '../kit/scenarios/requests.ts'
import { expectEvaluation, policyOf, simulatePolicy } from '../kit/scenarios/simulation.ts'
import {
  createTaskSubject,
  simulatePolicySubject,
  simulateTaskSubject,
} from '../kit/scenarios/subjects.ts'

/** Section 2.2: the intent. Every member is tested with every method that takes an intent. */
const subjects = [createTaskSubject, simulatePolicySubject, simulateTaskSubject] as const

/** A member, its clause, and the ids of its checks: absent, by method, and of another type. */
const members = [
  {
    member: 'from',
    clause: '2.2-01',
    missing: {
      // 2.2-01: from is required and an Address.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      createTask: 'rpc.createTask.params.intent-from-missing',
      simulatePolicy: 'rpc.simulatePolicy.params.intent-from-missing',
      simulateTask: 'rpc.simulateTask.params.intent-from-missing',
    },
    object: 'rpc.createTask.params.intent-from-object',
  },
  {
    member: 'to',
    clause: '2.2-02',
    missing: {
      // 2.2-02: to is required and an Address.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      createTask: 'rpc.createTask.params.intent-to-missing',
      simulatePolicy: 'rpc.simulatePolicy.params.intent-to-missing',
      simulateTask: 'rpc.simulateTask.params.intent-to-missing',
    },
    object: 'rpc.createTask.params.intent-to-object',
  },
  {
    member: 'value',
    clause: '2.2-03',
    missing: {
      // 2.2-03: value is required and a Quantity of wei.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      createTask: 'rpc.createTask.params.intent-value-missing',
      simulatePolicy: 'rpc.simulatePolicy.params.intent-value-missing',
      simulateTask: 'rpc.simulateTask.params.intent-value-missing',
    },
    object: 'rpc.createTask.params.intent-value-object',
  },
  {
    member: 'data',
    clause: '2.2-04',
    missing: {
      // 2.2-04: data is required and Data.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      createTask: 'rpc.createTask.params.intent-data-missing',
      simulatePolicy: 'rpc.simulatePolicy.params.intent-data-missing',
      simulateTask: 'rpc.simulateTask.params.intent-data-missing',
    },
    object: 'rpc.createTask.params.intent-data-object',
  },
  {
    member: 'chain_id',
    clause: '2.2-05',
    missing: {
      // 2.2-05: chain_id is required and a Quantity.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      createTask: 'rpc.createTask.params.intent-chain-id-missing',
      simulatePolicy: 'rpc.simulatePolicy.params.intent-chain-id-missing',
      simulateTask: 'rpc.simulateTask.params.intent-chain-id-missing',
    },
    object: 'rpc.createTask.params.intent-chain-id-object',
  },
  {
    member: 'function_signature',
    clause: '2.2-06',
    missing: {
      // 2.2-06: function_signature is required and Data.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      createTask: 'rpc.createTask.params.intent-function-signature-missing',
      simulatePolicy: 'rpc.simulatePolicy.params.intent-function-signature-missing',
      simulateTask: 'rpc.simulateTask.params.intent-function-signature-missing',
    },
    object: 'rpc.createTask.params.intent-function-signature-object',
  },
] as const

/** 0xa4136862 and its arguments, with the signature that decodes them. */
const setGreeting = {
  data: `0xa4136862${'20'.padStart(64, '0')}${'5'.padStart(64, '0')}${'68656c6c6f'.padEnd(64, '0')}`,
  function_signature: `0x${Buffer.from('setGreeting(string)').toString('hex')}`,
} as const

/** Members of the sent intent as shown in results, compared case-insensitively for hex. */
export function expectSameIntent(view: unknown, sent: JsonObject, where: string): void {
  expectObject(view, where)
  const lower = (value: unknown) => String(value).toLowerCase()
  expectEqual(
    {
      from: lower(view.from),
      to: lower(view.to),
      value: BigInt(String(view.value)),
      data: lower(view.data),
      chainId: BigInt(String(view.chainId ?? view.chain_id)),
      functionSignature: lower(view.functionSignature ?? view.function_signature),
    },
    {
      from: lower(sent.from),
      to: lower(sent.to),
      value: BigInt(String(sent.value)),
      data: lower(sent.data),
      chainId: BigInt(String(sent.chain_id)),
      functionSignature: lower(sent.function_signature),
    },
    where,
  )
}

export const taskIntent: readonly Check[] = [
  ...subjects.flatMap((subject) =>
    members.map(({ member, clause, missing }) =>
      refusedMember(subject, {
        id: missing[subject.method],
        path: `intent.${member}`,
        value: undefined,
        clauses: [clause],
      }),
    ),
  ),
  ...members.map(({ member, clause, object }) =>
    refusedMember(createTaskSubject, {
      id: object,
      path: `intent.${member}`,
      value: { hex: '0x1' },
      clauses: [clause],
    }),
  ),
  {
    // 2.2-08: An intent without calldata has 0x as data and as function_signature, and is
    //   evaluated.
    // 1-21: input is the parsed intent (section 2.6 has its shape).
    id: 'rpc.intent.native-transfer',
    title: 'an intent without calldata, 0x twice, is evaluated and its function is empty',
    clauses: ['2.2-08', '1-21'],
    level: 'must',
    needs: simulatePolicySubject.needs,
    run: async (t) => {
      const policy = policyOf('deny contains "a function" if input.function.name')
      const evaluation = expectEvaluation(await simulatePolicy(t, policy))
      expectEqual(evaluation.result, true, 'the result')
    },
  },
  {
    // 2.2-07: function_signature is the hex encoding of the readable ABI signature, such as
    //   transfer(address,uint256), and decodes the calldata.
    // 2.2-09: A contract call has ABI-encoded calldata and is evaluated with its function and
    //   arguments.
    // 2.6-07: parsed_intent shows the decoded function with its name and arguments.
    // 1-21: input is the parsed intent (section 2.6 has its shape).
    id: 'rpc.intent.contract-call',
    title: 'a contract call is decoded by its function_signature',
    clauses: ['2.2-07', '2.2-09', '2.6-07', '1-21'],
    level: 'must',
    needs: simulatePolicySubject.needs,
    run: async (t) => {
      const policy = policyOf(
        'deny contains "another function" if not input.function.name == "setGreeting"',
        'deny contains "another argument" if not input.function.arguments[0] == "hello"',
      )
      const intent = transferIntent(t, setGreeting)
      const evaluation = expectEvaluation(await simulatePolicy(t, policy, { intent }))
      expectEqual(evaluation.result, true, 'the result')
      const parsed = evaluation.parsed_intent as JsonObject
      expectObject(parsed.function, 'parsed_intent.function')
      expectEqual(parsed.function.name, 'setGreeting', 'parsed_intent.function.name')
      expectEqual(parsed.function.arguments, ['hello'], 'parsed_intent.function.arguments')
    },
  },
  {
    // 1-21: input is the parsed intent (section 2.6 has its shape).
    // 2.6-07: parsed_intent shows the decoded function with its name and arguments.
    id: 'rpc.intent.input',
    title: 'the input of a policy is the parsed intent in the response',
    clauses: ['1-21', '2.6-07'],
    level: 'must',
    needs: simulatePolicySubject.needs,
    run: async (t) => {
      for (const call of [{}, setGreeting]) {
        const intent = transferIntent(t, call)
        const policy = policyOf('deny := []', 'seen := input')
        const params = { intent, entrypoint: 'policy.seen' }
        const evaluation = expectEvaluation(await simulatePolicy(t, policy, params))
        expectObject(evaluation.result, 'input')
        const { result: input, parsed_intent: parsed } = evaluation
        expectObject(parsed, 'parsed_intent')
        for (const member of ['from', 'to', 'value', 'chain_id', 'function'])
          expectEqual(input[member], parsed[member], `input.${member}`)
      }
    },
  },
  {
    // 2.2-09: A contract call has ABI-encoded calldata and is evaluated with its function and
    //   arguments.
    // 2.2-11: The intent in a task result is the intent that was sent.
    // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
    id: 'rpc.intent.contract-call-task',
    title: 'a task with a contract call succeeds and contains calldata and signature as sent',
    clauses: ['2.2-09', '2.2-11', '2.5-06'],
    level: 'must',
    needs: createTaskSubject.needs,
    run: async (t) => {
      const params = taskParams(t, fixture.simple, { intent: transferIntent(t, setGreeting) })
      const result = expectTask(await createTask(t, params))
      expectSameIntent((result.task as JsonObject).intent, params.intent, 'task.intent')
    },
  },
  {
    // 2.2-11: The intent in a task result is the intent that was sent.
    // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
    // 2.5-08: task_response has intent, intent_signature and policy_task_data.
    // 2.1-15: Quantity, Data and Address have the same forms in results.
    id: 'rpc.intent.round-trip',
    title: 'any intent is returned unchanged in task and task_response',
    clauses: ['2.2-11', '2.5-06', '2.5-08', '2.1-15'],
    level: 'must',
    needs: createTaskSubject.needs,
    run: async (t) => {
      const intents = anyIntent(chainIdOf(t))
      let tasks = 0
      await checkProperty(t, 'intents', intents, { runs: 10 }, async (intent) => {
        const answer = await createTask(t, taskParams(t, fixture.simple, { intent }))
        // The same small intent may be generated twice.
        if (failureOf(answer)?.includes('TaskAlreadyExists')) return
        const result = expectTask(answer)
        tasks++
        const views = { task: result.task, task_response: result.task_response }
        for (const [name, view] of Object.entries(views)) {
          const seen = (view as JsonObject).intent
          expectSameIntent(seen, intent, `${name}.intent`)
          // Amount and bytes keep their format in the response (section 2.1).
          expectShape(seen, { value: shape.quantity, data: shape.data }, `${name}.intent`)
        }
      })
      if (tasks === 0) throw new Untestable('there were tasks of all intents before')
    },
  },
  ...[
    {
      // 2.2-12: What a gateway does with calldata that the signature does not decode.
      id: 'rpc.intent.observed.undecodable',
      change: { data: '0xdeadbeef', function_signature: setGreeting.function_signature },
      clause: '2.2-12',
    },
    {
      id: 'rpc.intent.observed.no-signature',
      change: { data: setGreeting.data, function_signature: '0x' },
      clause: '2.2-12',
    },
    {
      id: 'rpc.intent.observed.signature-not-text',
      change: { data: setGreeting.data, function_signature: '0xff00ff' },
      clause: '2.2-12',
    },
    {
      // 2.2-13: What a gateway does with a 4-byte selector as function_signature.
      id: 'rpc.intent.observed.selector',
      change: { data: setGreeting.data, function_signature: '0xa4136862' },
      clause: '2.2-13',
    },
  ].map(
    ({ id, change, clause }): Check => ({
      id,
      title: `observed: an intent whose calldata does not decode (${lastPart(id)}); no crash`,
      clauses: [clause],
      level: 'may',
      needs: simulatePolicySubject.needs,
      run: async (t) => {
        const policy = policyOf('deny := []', 'seen := object.get(input, "function", "absent")')
        const intent = { ...transferIntent(t), ...change }
        const answer = await simulatePolicy(t, policy, { intent, entrypoint: 'policy.seen' })
        const result = (answer.json as { result?: { evaluation_result?: { result?: unknown } } })
          .result
        const seen = result?.evaluation_result?.result
        observed(t, 'input-function', `input.function (${lastPart(id)})`, seen)
        expectEvaluation(await simulatePolicy(t, policy, { entrypoint: 'policy.seen' }))
      },
    }),
  ),
  observedMember(createTaskSubject, {
    // 2.2-14: What a gateway does with an intent for a chain other than its own.
    id: 'rpc.createTask.observed.another-chain',
    path: 'intent.chain_id',
    value: '0x1',
    clauses: ['2.2-14'],
  }),
  {
    // 2.2-15: What a gateway does with camelCase members in place of snake_case.
    id: 'rpc.createTask.observed.camel-case',
    title: 'observed: an intent with members in camelCase, as in results',
    clauses: ['2.2-15'],
    level: 'may',
    needs: createTaskSubject.needs,
    run: async (t) => {
      await createTaskSubject.accepted(t)
      const { chain_id, function_signature, ...rest } = transferIntent(t)
      const intent = { ...rest, chainId: chain_id, functionSignature: function_signature }
      const failure = failureOf(await createTask(t, taskParams(t, fixture.simple, { intent })))
      observed(t, 'answer', 'an intent in camelCase', failure ?? 'accepted')
    },
  },
]
