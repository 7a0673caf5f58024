import { sectionClauses } from './clause.ts'

/** Section 2.5: the result of createTask. */
export const section2_5 = sectionClauses('2.5', {
  '01': 'task_id is 32 bytes as Data.',
  '02': 'status is a TaskStatus.',
  '03': 'aggregation_response is an object or null.',
  '04': 'aggregation_response holds task_response_digest and non_signer_stakes_and_signature.',
  '05': 'task has taskId, policyClient, nonce, taskCreatedBlock and quorumThresholdPercentage.',
  '06': 'task has intent, intentSignature, wasmArgs and quorumNumbers.',
  '07': 'task_response has task_id, policy_client, policy_id and policy_address.',
  '08': 'task_response has intent, intent_signature and policy_task_data.',
  '09': 'task_response.evaluation_result is an array of numbers.',
  '10': 'task_response.policy_config contains expireAfter.',
  '11': 'reference_block is the number of the block when the response was prepared.',
  '12': 'expiration is reference_block plus policy_config.expireAfter.',
  '13': 'validate_calldata is ABI-encoded calldata of validateAttestationDirect.',
  '14': 'validate_calldata is present only when it was requested.',
  '15': 'operator_errors is present on quorum failure.',
  '16': 'Each operator error says whether it is retryable.',
  '17': 'error is a string or null.',
  '18': 'timestamp is in unix seconds.',
  '19': 'signature_data holds bytes to pass to the contract as they are.',
  '20': 'The same task id appears in the result, in task and in task_response.',
  '21': { text: 'Further members of aggregation_response, task and task_response.', open: true },
  '22': { text: 'Members of an operator error beyond retryable.', open: true },
  '23': {
    text: 'Members of the sealed envelope beyond enc, ciphertext, policy_client, chain_id and recipient_pubkey.',
    open: true,
    noCheck:
      'callers make envelopes, and get them back as they were; 4.5-17 looks at other members',
  },
  '24': {
    text: 'The WIT of the oracle host beyond the calls of section 1.',
    open: true,
    noCheck: 'seen by components only; the oracle fixtures import what section 1 lists',
  },
  '25': 'No two tasks have the same id.',
  '26': {
    text: 'Where signature_data appears: in task_response, at the top level, or both.',
    open: true,
  },
  '28': { text: 'Which operators operator_errors lists, and with which members.', open: true },
  '29': { text: 'Whether a successful task reports operators that failed.', open: true },
  '30': {
    text: 'How an operator is reported that responds late, wrongly, twice or with another operator’s signature.',
    open: true,
    noCheck:
      'operators of a gateway cannot be made faulty from outside; tests of the reference implementation use faulty ones',
  },
  '27': 'The aggregate signature in the result verifies against the keys of the operators that signed.',
})
