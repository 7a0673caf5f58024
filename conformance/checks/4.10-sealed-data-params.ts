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
const required = (
  ids: { readonly missing: string; readonly null: string; readonly wrong: string },
  path: string,
  wrong: unknown,
  clause: string,
): readonly Fault[] => [
  { id: ids.missing, path, value: undefined, clauses: [clause] },
  { id: ids.null, path, value: null, clauses: [clause] },
  { id: ids.wrong, path, value: wrong, clauses: [clause] },
]

const identity: readonly Fault[] = [
  ...required(
    {
      // 4.10-09: identity_owner is required and an Address.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadIdentityEncrypted.params.owner-missing',
      null: 'rpc.uploadIdentityEncrypted.params.owner-null',
      wrong: 'rpc.uploadIdentityEncrypted.params.owner-wrong',
    },
    'identity_owner',
    7,
    '4.10-09',
  ),
  {
    // 4.10-09: identity_owner is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.uploadIdentityEncrypted.params.owner-short',
    path: 'identity_owner',
    value: shortAddress,
    clauses: ['4.10-09', '2.1-07'],
  },
  ...required(
    {
      // 4.10-10: identity_owner_sig is required and a String.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadIdentityEncrypted.params.signature-missing',
      null: 'rpc.uploadIdentityEncrypted.params.signature-null',
      wrong: 'rpc.uploadIdentityEncrypted.params.signature-wrong',
    },
    'identity_owner_sig',
    {},
    '4.10-10',
  ),
  ...required(
    {
      // 4.10-11: envelope of an identity upload is required and a String.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadIdentityEncrypted.params.envelope-missing',
      null: 'rpc.uploadIdentityEncrypted.params.envelope-null',
      wrong: 'rpc.uploadIdentityEncrypted.params.envelope-wrong',
    },
    'envelope',
    { enc: '00' },
    '4.10-11',
  ),
  ...required(
    {
      // 4.10-12: identity_domain is required: 32 bytes as hex.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadIdentityEncrypted.params.domain-missing',
      null: 'rpc.uploadIdentityEncrypted.params.domain-null',
      wrong: 'rpc.uploadIdentityEncrypted.params.domain-wrong',
    },
    'identity_domain',
    'domain',
    '4.10-12',
  ),
  {
    id: 'rpc.uploadIdentityEncrypted.params.domain-short',
    path: 'identity_domain',
    value: shortBytes,
    clauses: ['4.10-12'],
  },
  ...required(
    {
      // 4.10-13: chain_id of an identity upload is required and a Number.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadIdentityEncrypted.params.chain-missing',
      null: 'rpc.uploadIdentityEncrypted.params.chain-null',
      wrong: 'rpc.uploadIdentityEncrypted.params.chain-wrong',
    },
    'chain_id',
    'mainnet',
    '4.10-13',
  ),
  {
    id: 'rpc.uploadIdentityEncrypted.params.chain-fraction',
    path: 'chain_id',
    value: 0.5,
    clauses: ['4.10-13'],
  },
]

const confidential: readonly Fault[] = [
  ...required(
    {
      // 4.10-23: provider is required and an Address.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadConfidentialData.params.provider-missing',
      null: 'rpc.uploadConfidentialData.params.provider-null',
      wrong: 'rpc.uploadConfidentialData.params.provider-wrong',
    },
    'provider',
    [],
    '4.10-23',
  ),
  {
    // 4.10-23: provider is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.uploadConfidentialData.params.provider-short',
    path: 'provider',
    value: shortAddress,
    clauses: ['4.10-23', '2.1-07'],
  },
  ...required(
    {
      // 4.10-25: domain is required: 32 bytes as hex.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadConfidentialData.params.domain-missing',
      null: 'rpc.uploadConfidentialData.params.domain-null',
      wrong: 'rpc.uploadConfidentialData.params.domain-wrong',
    },
    'domain',
    5,
    '4.10-25',
  ),
  {
    id: 'rpc.uploadConfidentialData.params.domain-short',
    path: 'domain',
    value: shortBytes,
    clauses: ['4.10-25'],
  },
  ...required(
    {
      // 4.10-26: envelope of a confidential upload is required and a String.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadConfidentialData.params.envelope-missing',
      null: 'rpc.uploadConfidentialData.params.envelope-null',
      wrong: 'rpc.uploadConfidentialData.params.envelope-wrong',
    },
    'envelope',
    5,
    '4.10-26',
  ),
  ...required(
    {
      // 4.10-27: chain_id of a confidential upload is required and a Number.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.uploadConfidentialData.params.chain-missing',
      null: 'rpc.uploadConfidentialData.params.chain-null',
      wrong: 'rpc.uploadConfidentialData.params.chain-wrong',
    },
    'chain_id',
    '1',
    '4.10-27',
  ),
]

export const sealedDataParams: readonly Check[] = [
  ...identity.map((fault) => refusedMember(uploadIdentitySubject, fault)),
  ...confidential.map((fault) => refusedMember(uploadConfidentialSubject, fault)),
  ...required(
    {
      // 4.10-19: data_ref_id of the two getters is required and a String.
      // 7.1-04: Invalid params are -32602.
      // 7.3-02: The message for malformed params is "Invalid request format: {details}".
      missing: 'rpc.getIdentityEncrypted.params.reference-missing',
      null: 'rpc.getIdentityEncrypted.params.reference-null',
      wrong: 'rpc.getIdentityEncrypted.params.reference-wrong',
    },
    'data_ref_id',
    12,
    '4.10-19',
  ).map((fault) => refusedMember(getIdentitySubject, fault)),
  ...required(
    {
      missing: 'rpc.getConfidentialData.params.reference-missing',
      null: 'rpc.getConfidentialData.params.reference-null',
      wrong: 'rpc.getConfidentialData.params.reference-wrong',
    },
    'data_ref_id',
    12,
    '4.10-19',
  ).map((fault) => refusedMember(getConfidentialSubject, fault)),
]
