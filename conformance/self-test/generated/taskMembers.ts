import { exact, now, optional, type SpecifiedMembers, text, unspecified } from './specified.ts'

/** Sections 2.4, 2.5 and 4.2: the result of a task. */
const evidence = 'aggregation_response.non_signer_stakes_and_signature'

/** Whole numbers of the struct, of which JSON has two forms. */
const indices: SpecifiedMembers = Object.fromEntries(
  [
    'nonSignerQuorumBitmapIndices[]',
    'quorumApkIndices[]',
    'totalStakeIndices[]',
    'nonSignerStakeIndices[][]',
  ].map((path) => [
    `${evidence}.${path}`,
    {
      ...exact('2.5-04', '2.5-27'),
      legal: { retype: 'the specification does not say whether an index is a number or a string' },
    },
  ]),
)

const eitherCase = 'callers send snake_case, the explorer shows camelCase: both name the member'

const intentOf = (holder: string, clause: string): SpecifiedMembers => ({
  [`${holder}.intent`]: exact(clause, '2.2-11'),
  [`${holder}.intent.**`]: exact(clause, '2.2-11', '2.1-15'),
  [`${holder}.intent.chainId`]: {
    ...exact(clause, '2.2-11', '2.1-15'),
    legal: { rename: eitherCase, retype: 'the explorer shows it as a number (clause 2.2-10)' },
  },
  [`${holder}.intent.functionSignature`]: {
    ...exact(clause, '2.2-11', '2.1-15'),
    legal: { rename: eitherCase },
  },
})

const entry = 'task_response.policy_task_data.policyData[]'

export const taskMembers: SpecifiedMembers = {
  task_id: exact('2.5-01', '2.5-20', '2.5-25'),
  status: exact('2.5-02', '4.2-20', '4.2-02'),
  aggregation_response: exact('2.5-03', '2.5-04', '4.2-19', '4.2-20'),
  'aggregation_response.task_response_digest': exact('2.5-04', '2.5-27'),
  [evidence]: exact('2.5-04', '2.5-27'),
  [`${evidence}.**`]: exact('2.5-04', '2.5-27'),
  ...indices,
  task: exact('2.5-05', '2.5-06', '4.2-19'),
  'task.taskId': exact('2.5-05', '2.5-20'),
  'task.policyClient': exact('2.5-05', '2.5-20'),
  'task.nonce': exact('2.5-05', '2.5-01'),
  'task.taskCreatedBlock': exact('2.5-05', '2.5-01'),
  'task.quorumThresholdPercentage': exact('2.5-05', '4.2-11'),
  ...intentOf('task', '2.5-06'),
  'task.intentSignature': exact('2.5-06', '4.2-06'),
  'task.wasmArgs': exact('2.5-06', '4.2-14'),
  'task.quorumNumbers': exact('2.5-06', '4.2-10'),
  task_response: exact('2.5-07', '2.5-08', '4.2-19'),
  'task_response.task_id': exact('2.5-07', '2.5-20'),
  'task_response.policy_client': exact('2.5-07', '2.5-20'),
  'task_response.policy_id': exact('2.5-07', '2.5-20'),
  'task_response.policy_address': exact('2.5-07', '2.5-20'),
  ...intentOf('task_response', '2.5-08'),
  'task_response.intent_signature': exact('2.5-08', '4.2-06'),
  'task_response.evaluation_result': exact('2.5-09'),
  'task_response.evaluation_result[]': exact('2.5-09'),
  'task_response.policy_task_data': exact('2.5-08', '2.4-04'),
  'task_response.policy_task_data.policyId': exact('2.4-01'),
  'task_response.policy_task_data.policyAddress': exact('2.4-02'),
  'task_response.policy_task_data.policy': exact('2.4-03'),
  'task_response.policy_task_data.policyData': exact('2.4-04'),
  [entry]: exact('2.4-04'),
  [`${entry}.wasmArgs`]: exact('2.4-05'),
  [`${entry}.data`]: exact('2.4-06'),
  // Who signs the data, and in which form, is not specified.
  [`${entry}.attestation`]: text('2.4-07'),
  [`${entry}.policyDataAddress`]: exact('2.4-08'),
  [`${entry}.expireBlock`]: exact('2.4-09'),
  'task_response.policy_config': exact('2.5-10'),
  'task_response.policy_config.policyParams': exact('2.5-21'),
  'task_response.policy_config.expireAfter': exact('2.5-10', '2.5-12'),
  'task_response.signature_data': optional(
    'it may be at the top level instead (clause 2.5-26)',
    exact('2.5-19'),
  ),
  signature_data: optional('it may be in task_response instead (clause 2.5-26)', {
    ...exact('2.5-19', '2.5-26'),
    legal: Object.fromEntries(
      (['retype', 'off-by-one', 'stale', 'swap', 'echo'] as const).map((operator) => [
        operator,
        'where task_response has it, a second one is a further member (clause 2.5-26)',
      ]),
    ),
  }),
  reference_block: exact('2.5-11', '2.5-12', '4.2-19'),
  expiration: exact('2.5-12', '4.2-19', '3-07'),
  validate_calldata: exact('2.5-13', '2.5-14'),
  warnings: exact('4.2-34'),
  'warnings.**': exact('4.2-34'),
  // Which operators are listed is open (clause 2.5-28).
  operator_errors: text('2.5-15'),
  'operator_errors[]': {
    ...text('2.5-15', '2.5-16'),
    legal: { drop: 'which operators are listed is open (clause 2.5-28)' },
  },
  'operator_errors[].retryable': {
    ...exact('2.5-16'),
    value: 'text',
  },
  'operator_errors[].**': exact('2.5-22', '2.5-28'),
  error: optional('a success may have none', text('2.5-17', '4.2-20')),
  timestamp: now('2.5-18', '4.2-20'),
}

/** Section 4.3. */
export const sentTaskMembers: SpecifiedMembers = {
  task_id: exact('4.3-10', '4.3-14', '4.3-19'),
  subscription_topic: exact('4.3-11', '4.3-10'),
  message: text('4.3-12'),
  // Its unit is open (clause 4.3-15).
  timestamp: text('4.3-13'),
}

/** Section 4.4. */
export const simulatedTaskMembers: SpecifiedMembers = {
  success: exact('4.4-07', '4.4-08', '4.4-09'),
  result: exact('4.4-08'),
  'result.**': exact('4.4-13'),
  error: optional('a success has none', text('4.4-09')),
  details: optional('its presence is open', text('4.4-10')),
}

/** Section 4.1: the body around every result and every error. */
export const bodies = {
  success: {
    jsonrpc: exact('4.1-06'),
    result: exact('4.1-06'),
    id: exact('4.1-08', '4.1-16'),
  },
  failure: {
    jsonrpc: exact('4.1-07'),
    error: exact('4.1-07', '7.1-02', '7.1-03', '7.1-04'),
    'error.code': exact('4.1-07', '7.1-01', '7.1-02', '7.1-03', '7.1-04'),
    'error.message': exact('4.1-07', '7.1-06', '7.3-02', '7.3-01'),
    'error.data': unspecified,
    id: exact('4.1-08', '4.1-07'),
  },
} as const satisfies Record<string, SpecifiedMembers>
