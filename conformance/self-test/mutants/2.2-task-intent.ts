import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { EvaluationRequest } from 'polgate-service/operators/operator.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import {
  changedExplorer,
  changedMember,
  changedResult,
  type Json,
  refusing,
} from './wrappedListeners.ts'

const zeroAddress = `0x${'00'.repeat(20)}`

/** Default values that a gateway fills in for missing members. */
const defaults = {
  from: ['2.2-01', zeroAddress],
  to: ['2.2-02', zeroAddress],
  value: ['2.2-03', '0x0'],
  data: ['2.2-04', '0x'],
  chain_id: ['2.2-05', '0x7a69'],
  function_signature: ['2.2-06', '0x'],
} as const

const optional = ([name, [clause, value]]: [string, readonly [string, string]]): Mutant => ({
  id: `intent.optional-${name.replaceAll('_', '-')}`,
  fault: `accepts an intent without ${name}, as ${value}`,
  clauses: [clause],
  parts: changedMember('*', `intent.${name}`, (given) => given ?? value),
})

/** Changes what operators evaluate, but not what they sign. */
const evaluating =
  (change: (request: EvaluationRequest) => EvaluationRequest) =>
  (markFired: MarkFired): ServiceParts => ({
    operator: (operator) => ({
      ...operator,
      evaluate(request, signal) {
        const instead = change(request)
        if (instead !== request) markFired()
        return operator.evaluate(instead, signal)
      },
    }),
  })

/** Changes what policies get as `input`. */
const evaluatingInput =
  (change: (input: Json) => Json) =>
  (markFired: MarkFired): ServiceParts => ({
    operatorTools: (tools) => ({
      ...tools,
      evaluator: {
        ...tools.evaluator,
        evaluate(evaluation, signal) {
          const given = parseExact(evaluation.input)
          const instead = change(given)
          if (instead === given) return tools.evaluator.evaluate(evaluation, signal)
          markFired()
          return tools.evaluator.evaluate({ ...evaluation, input: stringifyExact(instead) }, signal)
        },
      },
    }),
  })

function inTaskViews(result: Json, change: (intent: Json) => Json): Json {
  if (result.task_response === undefined) return result
  const { task, task_response } = result
  return {
    ...result,
    task: { ...task, intent: change(task.intent) },
    task_response: { ...task_response, intent: change(task_response.intent) },
  }
}

/** Faults in parsing and showing intents (section 2.2). */
export const intentMutants: readonly Mutant[] = [
  ...Object.entries(defaults).map(optional),
  {
    id: 'intent.value-of-257-bits',
    fault: 'accepts a value above uint256, truncated to 256 bits',
    clauses: ['2.2-03'],
    parts: changedMember('*', 'intent.value', (value) =>
      /^0x[1-9a-f][0-9a-f]{64,}$/i.test(value) ? `0x1${'0'.repeat(63)}` : value,
    ),
  },
  {
    id: 'intent.calldata-not-decoded',
    fault: 'does not decode calldata by its function_signature',
    clauses: ['2.2-07', '2.2-09'],
    parts: evaluating((request) =>
      request.intent.function_signature === '0x'
        ? request
        : { ...request, intent: { ...request.intent, function_signature: '0x' } },
    ),
  },
  {
    id: 'intent.transfer-refused',
    fault: 'refuses an intent without a function_signature',
    clauses: ['2.2-08'],
    parts: refusing('*', (params) => params?.intent?.function_signature === '0x'),
  },
  {
    id: 'intent.transfer-as-fallback',
    fault: 'presents a native transfer to policies as a call of fallback()',
    clauses: ['2.2-08'],
    parts: evaluatingInput((input) =>
      input.function === null ? { ...input, function: { name: 'fallback', arguments: [] } } : input,
    ),
  },
  {
    id: 'intent.explorer-snake-case',
    fault: 'shows intents in the explorer in snake_case with a hex chain id',
    clauses: ['2.2-10'],
    parts: changedExplorer(/\/task\//, (detail) => {
      if (detail?.intent?.chainId === undefined) return detail
      const { chainId, functionSignature, ...intent } = detail.intent
      const chain_id = `0x${Number(chainId).toString(16)}`
      return { ...detail, intent: { ...intent, chain_id, function_signature: functionSignature } }
    }),
  },
  {
    id: 'intent.value-through-double',
    fault: 'shows the value of a large intent rounded to a double',
    clauses: ['2.2-11'],
    parts: changedResult('createTask', (result) =>
      inTaskViews(result, (intent) => ({
        ...intent,
        value: `0x${BigInt(Number(intent.value)).toString(16)}`,
      })),
    ),
  },
  {
    id: 'intent.selector-as-function',
    fault: 'accepts a selector of four bytes as a function_signature',
    clauses: ['2.2-13'],
    parts: evaluatingInput((input) =>
      input.function === null && /^0x[0-9a-f]{8}$/i.test(input.function_signature)
        ? { ...input, function: { name: input.function_signature, arguments: [] } }
        : input,
    ),
  },
  {
    id: 'intent.camel-case-taken',
    fault: 'accepts an intent in camelCase',
    clauses: ['2.2-15'],
    parts: changedMember('createTask', 'intent', (intent) => {
      if (intent?.functionSignature === undefined) return intent
      const { chainId, functionSignature, ...rest } = intent
      return { ...rest, chain_id: chainId, function_signature: functionSignature }
    }),
  },
]
