import { type Fault, refusedMember } from '../lab/refusedMember.ts'
import {
  getConfidentialSubject,
  getIdentitySubject,
  uploadConfidentialSubject,
  uploadIdentitySubject,
} from '../lab/sealedDataSubjects.ts'
import type { Check } from '../runner/check.ts'

/** Section 4.10: the params of the four methods of sealed data, one fault at a time. */
const shortAddress = `0x${'11'.repeat(19)}`
const shortBytes = `0x${'11'.repeat(31)}`

/** Absent, null and of another type, for a required member. */
const required = (name: string, path: string, wrong: unknown, clause: string): readonly Fault[] => [
  { name: `${name}-missing`, path, value: undefined, clauses: [clause] },
  { name: `${name}-null`, path, value: null, clauses: [clause] },
  { name: `${name}-wrong`, path, value: wrong, clauses: [clause] },
]

const identity: readonly Fault[] = [
  ...required('owner', 'identity_owner', 7, '4.10-09'),
  {
    name: 'owner-short',
    path: 'identity_owner',
    value: shortAddress,
    clauses: ['4.10-09', '2.1-07'],
  },
  ...required('signature', 'identity_owner_sig', {}, '4.10-10'),
  ...required('envelope', 'envelope', { enc: '00' }, '4.10-11'),
  ...required('domain', 'identity_domain', 'domain', '4.10-12'),
  { name: 'domain-short', path: 'identity_domain', value: shortBytes, clauses: ['4.10-12'] },
  ...required('chain', 'chain_id', 'mainnet', '4.10-13'),
  { name: 'chain-fraction', path: 'chain_id', value: 0.5, clauses: ['4.10-13'] },
]

const confidential: readonly Fault[] = [
  ...required('provider', 'provider', [], '4.10-23'),
  { name: 'provider-short', path: 'provider', value: shortAddress, clauses: ['4.10-23', '2.1-07'] },
  ...required('domain', 'domain', 5, '4.10-25'),
  { name: 'domain-short', path: 'domain', value: shortBytes, clauses: ['4.10-25'] },
  ...required('envelope', 'envelope', 5, '4.10-26'),
  ...required('chain', 'chain_id', '1', '4.10-27'),
]

const reference = required('reference', 'data_ref_id', 12, '4.10-19')

export const sealedDataParams: readonly Check[] = [
  ...identity.map((fault) => refusedMember(uploadIdentitySubject, fault)),
  ...confidential.map((fault) => refusedMember(uploadConfidentialSubject, fault)),
  ...reference.map((fault) => refusedMember(getIdentitySubject, fault)),
  ...reference.map((fault) => refusedMember(getConfidentialSubject, fault)),
]
