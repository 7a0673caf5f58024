import type { Mutant } from './mutant.ts'
import { changedResult, type Json } from './wrappedListeners.ts'

const runs = ['simulatePolicyData', 'simulatePolicyDataWithClient']

/** A fault in `policy_data` of both methods that run one oracle. */
const inPolicyData = (
  id: string,
  fault: string,
  clauses: readonly string[],
  change: (data: Json) => Json,
): Mutant => ({
  id: `simulate.${id}`,
  fault,
  clauses,
  parts: changedResult('*', (result, { method }) =>
    runs.includes(method) && result.policy_data
      ? { ...result, policy_data: change(result.policy_data) }
      : result,
  ),
})

/** A fault in `evaluation_result`. */
const inEvaluation = (
  id: string,
  fault: string,
  clauses: readonly string[],
  change: (evaluation: Json) => Json,
): Mutant => ({
  id: `simulate.${id}`,
  fault,
  clauses,
  parts: changedResult('simulatePolicy', (result) =>
    result.evaluation_result
      ? { ...result, evaluation_result: change(result.evaluation_result) }
      : result,
  ),
})

const inIntent = (
  id: string,
  fault: string,
  clause: string,
  change: (intent: Json) => Json,
): Mutant =>
  inEvaluation(id, fault, [clause], (evaluation) => ({
    ...evaluation,
    parsed_intent: { ...evaluation.parsed_intent, ...change(evaluation.parsed_intent) },
  }))

/** A fault in the details of missing secrets. */
const inDetails = (
  id: string,
  fault: string,
  clauses: readonly string[],
  change: (details: Json) => Json,
): Mutant => ({
  id: `simulate.${id}`,
  fault,
  clauses,
  parts: changedResult('simulatePolicy', (result) =>
    result.error_details
      ? { ...result, error_details: { ...result.error_details, ...change(result.error_details) } }
      : result,
  ),
})

/** Mixed case as in a checksum, approximately. */
const capitals = (address: string) => `0x${address.slice(2).toUpperCase()}`

/** Faults in the responses of simulations (section 2.6). */
export const simulationResultMutants: readonly Mutant[] = [
  inPolicyData('specifier-as-url', 'returns the content id as a URL', ['2.6-01'], (data) => ({
    ...data,
    specifier: `ipfs://${data.specifier}`,
  })),
  inPolicyData(
    'data-as-text',
    'returns the output of an oracle as a string',
    ['2.6-02'],
    (data) => ({
      ...data,
      data: JSON.stringify(data.data),
    }),
  ),
  inPolicyData('timestamp-as-text', 'returns the time as ISO 8601', ['2.6-03'], (data) => ({
    ...data,
    timestamp: new Date(data.timestamp * 1000).toISOString(),
  })),
  inEvaluation(
    'policy-not-source',
    'returns a name of the policy, not its source',
    ['2.6-04'],
    (e) => ({
      ...e,
      policy: 'policy.rego',
    }),
  ),
  inIntent(
    'addresses-not-lowercased',
    'shows addresses with upper-case letters',
    '2.6-05',
    ({ from, to }) => ({
      from: capitals(from),
      to: capitals(to),
    }),
  ),
  inIntent('value-as-hex', 'shows value as hex', '2.6-06', ({ value }) => ({
    value: `0x${BigInt(value).toString(16)}`,
  })),
  inIntent('function-not-decoded', 'shows the selector instead of the function', '2.6-07', (i) => ({
    function: i.function === null ? null : i.data.slice(0, 10),
  })),
  inIntent('function-without-arguments', 'shows the function without arguments', '2.6-07', (i) => ({
    function: i.function === null ? null : { name: i.function.name },
  })),
  inIntent('chain-id-as-text', 'shows chain_id as a string', '2.6-08', ({ chain_id }) => ({
    chain_id: String(chain_id),
  })),
  inEvaluation(
    'params-not-shown',
    'shows the oracle output without the parameters',
    ['2.6-09'],
    (e) => ({
      ...e,
      policy_params_and_data: e.policy_params_and_data.wasm,
    }),
  ),
  inEvaluation(
    'entrypoint-as-path',
    'returns the entrypoint as a list of names',
    ['2.6-10'],
    (e) => ({
      ...e,
      entrypoint: e.entrypoint.split('.'),
    }),
  ),
  inEvaluation(
    'result-in-bindings',
    'returns the result as a list of bindings, as an engine prints it',
    ['2.6-11', '2.6-12'],
    (e) => ({ ...e, result: [{ expressions: [{ value: e.result }] }] }),
  ),
  inEvaluation('boolean-as-text', 'returns true and false as strings', ['2.6-11'], (e) => ({
    ...e,
    result: typeof e.result === 'boolean' ? String(e.result) : e.result,
  })),
  inEvaluation(
    'complex-as-true',
    'returns any value other than false as true',
    ['2.6-12'],
    (e) => ({
      ...e,
      result: e.result !== false,
    }),
  ),
  inEvaluation('expire-after-of-a-task', 'returns the expire_after of a task', ['2.6-13'], (e) => ({
    ...e,
    expire_after: 300,
  })),
  {
    id: 'simulate.error-details-always',
    fault: 'sends error_details with every failure',
    clauses: ['2.6-14'],
    parts: changedResult('simulatePolicy', (result) =>
      result.success === false && !result.error_details
        ? { ...result, error_details: { missing_secrets: [], suggested_actions: [] } }
        : result,
    ),
  },
  inDetails('missing-as-addresses', 'lists missing secrets as addresses only', ['2.6-15'], (d) => ({
    missing_secrets: d.missing_secrets.map((entry: Json) => entry.policy_data_address),
  })),
  inDetails('actions-as-text', 'returns its suggested actions as one string', ['2.6-16'], (d) => ({
    suggested_actions: d.suggested_actions.join(' '),
  })),
  inDetails('first-missing-alone', 'lists only the first missing secrets', ['4.8-19'], (d) => ({
    missing_secrets: d.missing_secrets.slice(0, 1),
  })),
  {
    id: 'simulate.missing-without-details',
    fault: 'does not list which secrets are missing',
    clauses: ['4.8-17', '7.3-07', '2.6-15'],
    parts: changedResult('simulatePolicy', ({ error_details: _, ...result }) => result),
  },
]
