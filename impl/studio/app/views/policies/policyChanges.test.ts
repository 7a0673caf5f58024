import type { PolicyDetail } from 'polgate-protocol/control/policies.ts'
import { expect, it } from 'vitest'
import { policyChanges } from './policyChanges.ts'

const content = (cid: string) => ({ cid, text: '', problem: null })
const policy: PolicyDetail = {
  ...{ address: '0x1', name: 'one', version: '1', owner: null, entrypoint: 'policy.allow' },
  ...{ verified: true, clients: 1, author: null, description: null, metadataCid: 'm' },
  ...{ source: content('s'), paramsSchema: null, sources: [] },
}
const source: PolicyDetail['sources'][number] = {
  ...{ address: '0x9', wasmCid: 'oracle', secretsSchemaCid: '', expireAfter: 1, version: '1' },
  attesters: [],
}

it('names what differs, and nothing else', () => {
  expect(policyChanges(policy, policy)).toEqual([])
  const other: PolicyDetail = {
    ...policy,
    ...{ address: '0x2', source: content('t'), paramsSchema: content('p'), sources: [source] },
  }
  expect(policyChanges(policy, other)).toEqual([
    { name: 'Policy', now: '0x1', next: '0x2' },
    { name: 'Rego source', now: 's', next: 't' },
    { name: 'Schema of the parameters', now: null, next: 'p' },
    { name: 'Oracles', now: null, next: 'oracle' },
  ])
  expect(policyChanges(null, policy).map(({ name }) => name)).toContain('Entrypoint')
})
