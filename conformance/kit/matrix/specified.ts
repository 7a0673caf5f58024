import type { Kind } from './kind.ts'

/** Where the specification defines a parameter, and where it says something else than the schema. */
type Specified = { readonly clause: string; readonly kind?: Kind; readonly required?: boolean }

const clauses = (
  prefix: string,
  rows: Readonly<Record<string, string | Specified>>,
): Readonly<Record<string, Specified>> =>
  Object.fromEntries(
    Object.entries(rows).map(([path, row]) => [
      `${prefix}.${path}`,
      typeof row === 'string' ? { clause: row } : row,
    ]),
  )

const bytes = (clause: string): Specified => ({ clause, kind: 'bytes' })
const text = (clause: string): Specified => ({ clause, kind: 'text' })

/** Section 2.2, in every method that has an intent. */
const intent = {
  'intent.from': '2.2-01',
  'intent.to': '2.2-02',
  'intent.value': '2.2-03',
  'intent.data': '2.2-04',
  'intent.chain_id': '2.2-05',
  'intent.function_signature': '2.2-06',
}

/**
 * The clause of each parameter, by method and path. Hex whose prefix is open has the kind `bytes`; a
 * reference of data is a String (section 4.10), whose form is open.
 */
export const specified: Readonly<Record<string, Specified>> = {
  ...clauses('createTask', {
    ...intent,
    policy_client: '4.2-03',
    intent: '4.2-04',
    intent_signature: '4.2-05',
    quorum_number: '4.2-10',
    quorum_threshold_percentage: '4.2-11',
    wasm_args: '4.2-14',
    timeout: '4.2-15',
    proof_cid: '4.2-17',
    include_validate_calldata: '4.2-18',
  }),
  ...clauses('sendTask', {
    ...intent,
    policy_client: '4.3-03',
    intent: '4.3-04',
    intent_signature: '4.3-05',
    quorum_number: '4.3-06',
    quorum_threshold_percentage: '4.3-07',
    wasm_args: '4.3-08',
    proof_cid: '4.3-09',
  }),
  ...clauses('simulateTask', {
    ...intent,
    intent: '4.4-05',
    // Some gateways have a short form without it.
    policy_task_data: { clause: '4.4-06', required: false },
    'policy_task_data.policyId': '2.4-01',
    'policy_task_data.policyAddress': '2.4-02',
    'policy_task_data.policy': bytes('2.4-03'),
    'policy_task_data.policyData': '2.4-04',
    'policy_task_data.policyData[].wasmArgs': bytes('2.4-05'),
    'policy_task_data.policyData[].data': bytes('2.4-06'),
    'policy_task_data.policyData[].attestation': bytes('2.4-07'),
    'policy_task_data.policyData[].policyDataAddress': '2.4-08',
    'policy_task_data.policyData[].expireBlock': '2.4-09',
  }),
  ...clauses('storeEncryptedSecrets', {
    policy_client: '4.5-02',
    policy_data_address: '4.5-03',
    envelope: '4.5-04',
  }),
  ...clauses('simulatePolicyData', {
    policy_data_address: '4.6-02',
    chain_id: '4.6-03',
    secrets: '4.6-04',
    wasm_args: bytes('4.6-05'),
  }),
  ...clauses('simulatePolicyDataWithClient', {
    policy_data_address: '4.7-02',
    policy_client: '4.7-03',
    wasm_args: bytes('4.7-04'),
  }),
  ...clauses('simulatePolicy', {
    ...intent,
    policy_client: '4.8-02',
    policy: '4.8-03',
    intent: '4.8-04',
    policy_data: '4.8-05',
    'policy_data[].policy_data_address': '2.3-01',
    'policy_data[].wasm_args': bytes('2.3-03'),
    entrypoint: '4.8-06',
    policy_params: '4.8-07',
    intent_signature: '4.8-10',
  }),
  ...clauses('registerWebhook', {
    url: '4.9-01',
    secret: '4.9-03',
    timeout_seconds: '4.9-04',
    max_retries: '4.9-06',
    failure_types: '4.9-08',
  }),
  ...clauses('uploadIdentityEncrypted', {
    identity_owner: '4.10-09',
    identity_owner_sig: text('4.10-10'),
    envelope: '4.10-11',
    identity_domain: '4.10-12',
    chain_id: '4.10-13',
  }),
  ...clauses('getIdentityEncrypted', { data_ref_id: text('4.10-19') }),
  ...clauses('uploadConfidentialData', {
    provider: '4.10-23',
    domain: '4.10-25',
    envelope: '4.10-26',
    chain_id: '4.10-27',
  }),
  ...clauses('getConfidentialData', { data_ref_id: text('4.10-19') }),
}
