import { expect, it } from 'vitest'
import { blsKey } from '../attestation/bls.ts'
import { type LocalOperatorOptions, localOperator } from './localOperator.ts'
import type { SignRequest } from './operator.ts'

const address = `0x${'11'.repeat(20)}` as const
const intent = {
  ...{ from: address, to: address, value: '0x0', data: '0x' },
  ...{ chain_id: '0x1', function_signature: '0x' },
}

it('a policy is read once for a task: the text whose uses were found is evaluated', async () => {
  const seen: string[] = []
  let reads = 0
  const operator = localOperator({
    address,
    key: blsKey(new Uint8Array(32).fill(1)),
    content: { get: async () => Buffer.from(`package version${++reads}`) },
    evaluator: {
      privateUses: async ({ source }: { source: string }) => {
        seen.push(source)
        return { identity: false, confidential: [], privacy: false }
      },
      evaluate: async ({ source }: { source: string }) => {
        seen.push(source)
        throw new Error('evaluated')
      },
    },
  } as unknown as LocalOperatorOptions)
  const request = {
    evaluation: {
      ...{ policy: { cid: 'bafypolicy' }, entrypoint: 'policy.allow', intent, params: '{}' },
      ...{ intentSignature: null, intentDigest: null, paramsSchemaCid: '', data: [], now: 0 },
    },
    draft: { policyClient: address, taskId: `0x${'22'.repeat(32)}` },
  } as unknown as SignRequest
  const signing = operator.sign(request, new AbortController().signal)
  await expect(signing).rejects.toThrow('evaluated')
  expect({ reads, seen }).toEqual({ reads: 1, seen: ['package version1', 'package version1'] })
})
