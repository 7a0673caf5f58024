import type { Check } from '../core/check.ts'
import { type Fault, refusedMember } from '../kit/scenarios/refusedMember.ts'
import {
  getConfidentialSubject,
  getIdentitySubject,
  uploadConfidentialSubject,
  uploadIdentitySubject,
} from '../kit/scenarios/sealedDataSubjects.ts'

/** Section 4.10: the params of the four methods of sealed data, one fault at a time. */
const shortAddress = `0x${'11'.repeat(19)}`
const shortBytes = `0x${'11'.repeat(31)}`

/** Absent, null and of another type, for a required member. */
const required = (id: string, path: string, wrong: unknown, clause: string): readonly Fault[] => [
  { id: `${id}-missing`, path, value: undefined, clauses: [clause] },
  { id: `${id}-null`, path, value: null, clauses: [clause] },
  { id: `${id}-wrong`, path, value: wrong, clauses: [clause] },
]

const identity: readonly Fault[] = [
  ...required('rpc.uploadIdentityEncrypted.params.owner', 'identity_owner', 7, '4.10-09'),
  {
    id: 'rpc.uploadIdentityEncrypted.params.owner-short',
    path: 'identity_owner',
    value: shortAddress,
    clauses: ['4.10-09', '2.1-07'],
  },
  ...required('rpc.uploadIdentityEncrypted.params.signature', 'identity_owner_sig', {}, '4.10-10'),
  ...required('rpc.uploadIdentityEncrypted.params.envelope', 'envelope', { enc: '00' }, '4.10-11'),
  ...required('rpc.uploadIdentityEncrypted.params.domain', 'identity_domain', 'domain', '4.10-12'),
  {
    id: 'rpc.uploadIdentityEncrypted.params.domain-short',
    path: 'identity_domain',
    value: shortBytes,
    clauses: ['4.10-12'],
  },
  ...required('rpc.uploadIdentityEncrypted.params.chain', 'chain_id', 'mainnet', '4.10-13'),
  {
    id: 'rpc.uploadIdentityEncrypted.params.chain-fraction',
    path: 'chain_id',
    value: 0.5,
    clauses: ['4.10-13'],
  },
]

const confidential: readonly Fault[] = [
  ...required('rpc.uploadConfidentialData.params.provider', 'provider', [], '4.10-23'),
  {
    id: 'rpc.uploadConfidentialData.params.provider-short',
    path: 'provider',
    value: shortAddress,
    clauses: ['4.10-23', '2.1-07'],
  },
  ...required('rpc.uploadConfidentialData.params.domain', 'domain', 5, '4.10-25'),
  {
    id: 'rpc.uploadConfidentialData.params.domain-short',
    path: 'domain',
    value: shortBytes,
    clauses: ['4.10-25'],
  },
  ...required('rpc.uploadConfidentialData.params.envelope', 'envelope', 5, '4.10-26'),
  ...required('rpc.uploadConfidentialData.params.chain', 'chain_id', '1', '4.10-27'),
]

const reference = (id: string) => required(id, 'data_ref_id', 12, '4.10-19')

export const sealedDataParams: readonly Check[] = [
  ...identity.map((fault) => refusedMember(uploadIdentitySubject, fault)),
  ...confidential.map((fault) => refusedMember(uploadConfidentialSubject, fault)),
  ...reference('rpc.getIdentityEncrypted.params.reference').map((fault) =>
    refusedMember(getIdentitySubject, fault),
  ),
  ...reference('rpc.getConfidentialData.params.reference').map((fault) =>
    refusedMember(getConfidentialSubject, fault),
  ),
]
