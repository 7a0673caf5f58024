import { expect, it } from 'vitest'
import { blsKey } from '../attestation/bls.ts'
import { type LocalOperatorOptions, localOperator } from './localOperator.ts'
import type { PolicyEvaluation } from './policyEvaluator.ts'

const address = `0x${'11'.repeat(20)}` as const

/** The input of the engine for parameters from the chain. */
async function evaluated(params: string): Promise<PolicyEvaluation> {
  let seen: PolicyEvaluation | undefined
  const operator = localOperator({
    address,
    key: blsKey(new Uint8Array(32).fill(1)),
    content: { get: async () => new TextEncoder().encode('{"required":["a"]}') },
    evaluator: {
      evaluate: async (evaluation: PolicyEvaluation) => {
        seen = evaluation
        return { result: 'true', reasons: [], wasm: '{}' }
      },
      close: async () => {},
    },
  } as unknown as LocalOperatorOptions)
  await operator.evaluate(
    {
      policy: { source: 'package policy' },
      entrypoint: 'policy.allow',
      intent: {
        from: address,
        to: address,
        value: '0x0',
        data: '0x',
        chain_id: '0x1',
        function_signature: '0x',
      },
      intentSignature: null,
      intentDigest: null,
      params,
      paramsSchemaCid: 'bafyschema',
      data: [],
      now: 0,
    },
    new AbortController().signal,
  )
  return seen!
}

it.each(['', ' ', '\n\t\r ', '\ufeff'])('parameters %j are {} for a policy', async (params) => {
  const { params: read, paramsSchema } = await evaluated(params)
  expect(read).toBe('{}')
  // The schema still applies.
  expect(paramsSchema).toBe('{"required":["a"]}')
})

it.each(['{}', ' {"a":1.10} ', 'null', '0', 'oops'])(
  'parameters %j are unchanged',
  async (params) => {
    expect((await evaluated(params)).params).toBe(params)
  },
)
