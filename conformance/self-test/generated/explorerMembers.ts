import { also, exact, type SpecifiedMembers, text, under } from './specified.ts'

/** Sections 2.9, 3 and 4.12. */
const summary: SpecifiedMembers = {
  id: exact('2.9-01'),
  network: exact('2.9-02', '4.12-02'),
  sender_address: exact('2.9-03'),
  policy_client_address: exact('2.9-04'),
  policy_id: exact('2.9-05'),
  policy_address: exact('2.9-06'),
  evaluation_result: exact('2.9-07', '2.9-08'),
  error: text('2.9-09', '2.9-27'),
  operator_errors: {
    ...text('2.9-10', '2.9-27'),
    legal: { retype: 'an object and an array are both valid', null: 'null is a valid value' },
  },
  'operator_errors[]': exact('2.9-33'),
  created_block: {
    ...exact('2.9-11'),
    legal: {
      'off-by-one':
        'the block that the task names and the one of its transaction are valid, and may be neighbours',
    },
  },
  task_created_at: exact('2.9-12', '3-08'),
  task_responded_at: exact('2.9-13', '3-08'),
  attestation_spent_at: exact('2.9-14', '3-08'),
  task_challenged_at: exact('2.9-15', '3-08'),
  challenge_result: exact('2.9-16', '3-09'),
  task_responded_metadata: exact('2.9-17'),
  'task_responded_metadata.**': exact('2.9-29'),
  updated_at: {
    ...exact('2.9-18'),
    value: 'now',
  },
}

/** A row of a list has the values of the detail. */
const listed = also(['2.9-19'], summary)

const detail: SpecifiedMembers = {
  ...summary,
  id: exact('2.9-01', '4.12-05'),
  intent: exact('2.9-20', '2.2-10'),
  'intent.**': exact('2.9-20', '2.2-10'),
  'intent.value': {
    ...exact('2.9-20', '2.2-10'),
    legal: { retype: 'whether it is a number or a quantity is not specified' },
  },
  // Their inner shapes are open (clause 2.9-28).
  policy_config: text('2.9-21'),
  policy_task_data: text('2.9-22'),
  created_txn_hash: exact('2.9-23'),
  responded_txn_hash: exact('2.9-24'),
  challenged_txn_hash: exact('2.9-25'),
  spent_txn_hash: exact('2.9-26'),
}

/** Section 2.10. */
const policy: SpecifiedMembers = {
  address: exact('2.10-01'),
  network: exact('2.10-02', '4.12-02'),
  name: exact('2.10-03', '2.10-04'),
  version: exact('2.10-03', '2.10-04'),
  author: exact('2.10-03', '2.10-04'),
  description: exact('2.10-03', '2.10-04'),
  verified: { ...text('2.10-05'), legal: { null: 'null is a valid value' } },
  policy_info: exact('2.10-06'),
  'policy_info.**': exact('2.10-09'),
  deployed_txn_hash: exact('2.10-07'),
  policy_deployed_at: exact('2.10-08'),
}

const page = (clauses: readonly string[], row: SpecifiedMembers): SpecifiedMembers => ({
  total: exact('4.12-15', '4.12-16', ...clauses),
  page: exact('4.12-15', ...clauses),
  size: exact('4.12-15', ...clauses),
  results: exact('4.12-15', ...clauses),
  'results[]': exact('4.12-17', ...clauses),
  ...under('results[]', row),
})

const ofPolicy = (clause: string) => page([clause, '4.12-18'], listed)

export const explorerMembers: Readonly<Record<string, SpecifiedMembers>> = {
  'explorer.getTask': detail,
  'explorer.listTasks': page(['4.12-06', '4.12-19'], listed),
  'explorer.getPolicy': policy,
  'explorer.listPolicies': page(['4.12-08', '4.12-20'], also(['4.12-20'], policy)),
  'explorer.listTasksOfPolicyId': ofPolicy('4.12-09'),
  'explorer.listTasksOfPolicyAddress': ofPolicy('4.12-10'),
  'explorer.getStats': {
    total_tasks: exact('4.12-11', '4.12-14'),
    total_policies: exact('4.12-11', '4.12-14'),
  },
  'explorer.400': { detail: exact('7.6-01', '7.6-02') },
  'explorer.401': { detail: exact('7.6-01', '7.6-03', '7.6-04') },
  'explorer.403': { detail: exact('7.6-01', '7.6-05') },
  'explorer.404': { detail: exact('7.6-01', '7.6-06', '7.6-07') },
  // The specification has no text for it.
  'explorer.429': { detail: text('7.6-01') },
  'explorer.503': { detail: exact('7.6-01', '7.6-09') },
  'explorer.422': {
    detail: { ...text('7.6-01'), legal: { retype: 'what it holds is open (clause 7.6-11)' } },
    'detail[]': exact('7.6-11'),
    'detail[].**': exact('7.6-11'),
  },
}
