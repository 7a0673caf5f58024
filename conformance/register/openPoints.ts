/** A place where the specification shows nothing, and the resulting clauses. */
export type OpenPoint = { readonly what: string; readonly clauses: readonly string[] }

/**
 * Every such place. Behaviour there is recorded, never judged: each clause is open, and each that
 * is visible from outside has a check.
 */
export const openPoints: readonly OpenPoint[] = [
  { what: 'fields of the sealed envelope beyond five', clauses: ['2.5-23', '4.5-17'] },
  { what: 'inner fields of aggregation_response, task and task_response', clauses: ['2.5-21'] },
  { what: 'fields of an operator error beyond retryable', clauses: ['2.5-22'] },
  { what: 'the interface of the oracle host beyond its calls', clauses: ['2.5-24', '1-50'] },
  {
    what: 'inner shapes of policy_info, policy_config, policy_task_data and task_responded_metadata',
    clauses: ['2.10-09', '2.9-28', '2.9-29'],
  },
  { what: 'transitions between the states of a task', clauses: ['3-06'] },
  { what: 'transitions of challenge_result', clauses: ['3-11'] },
  { what: 'required members of the short form of simulateTask', clauses: ['4.4-12'] },
  { what: 'the address of the WebSocket', clauses: ['4.11-02'] },
  { what: 'the order of the explorer’s lists', clauses: ['4.12-23'] },
  { what: 'the permission of the two webhook methods', clauses: ['5.1-09', '4.9-17'] },
  { what: 'the authentication of the WebSocket', clauses: ['4.11-03'] },
  { what: 'kinds of events other than success', clauses: ['6.1-13'] },
  { what: 'the envelope of failure messages on the WebSocket', clauses: ['6.2-18'] },
  { what: 'numbers of the rate limits', clauses: ['8-11', '8-17'] },
  {
    what: 'maximum sizes of wasm_args, envelope, secrets and policy',
    clauses: ['8-12', '8-13', '8-14', '8-15'],
  },
  { what: 'the version of the RPC interface and its deprecation', clauses: ['9-07'] },
]
