import fc from 'fast-check'
import { anyJson } from './json.ts'

const methodNames = [
  'createTask',
  'simulateTask',
  'simulatePolicy',
  'getSecretsPublicKey',
  'getPrivacyPublicKey',
]

const memberNames = [
  'policy_client',
  'intent',
  'intent_signature',
  'quorum_number',
  'quorum_threshold_percentage',
  'wasm_args',
  'timeout',
  'policy',
  'policy_data',
  'policy_task_data',
  'policy_params',
  'entrypoint',
  '__proto__',
]

export type AnyRequest = { jsonrpc: '2.0'; method: string; params: unknown; id: string }

/** A request that is one, with params that hardly are: right names, wrong values. */
export const anyRequestBody = (methodPrefix: string): fc.Arbitrary<AnyRequest> =>
  fc.record({
    jsonrpc: fc.constant('2.0' as const),
    method: fc.constantFrom(...methodNames).map((name) => `${methodPrefix}${name}`),
    params: fc.oneof(
      { weight: 3, arbitrary: fc.dictionary(fc.constantFrom(...memberNames), looseValue()) },
      { weight: 1, arbitrary: fc.array(anyJson(), { maxLength: 4 }) },
    ),
    id: fc.uuid(),
  })

const hexOf = (max: number) =>
  fc.uint8Array({ maxLength: max }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

const looseValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(anyJson(), hexOf(70), fc.integer(), fc.string({ unit: 'grapheme', maxLength: 40 }))
