import { sectionClauses } from './clause.ts'

/** Section 2.6: the results of simulations. */
export const section2_6 = sectionClauses('2.6', {
  '01': 'policy_data.specifier is the content id of the component.',
  '02': 'policy_data.data is the output of the oracle, an object.',
  '03': 'policy_data.timestamp is a number.',
  '04': 'evaluation_result.policy is the evaluated source.',
  '05': 'parsed_intent shows addresses in lowercase.',
  '06': 'parsed_intent shows value as a number.',
  '07': 'parsed_intent shows the decoded function with its name and arguments.',
  '08': 'parsed_intent shows chain_id as a number.',
  '09': 'policy_params_and_data is {params, wasm}: the parameters and the merged oracle output.',
  '10': 'evaluation_result.entrypoint is a string.',
  '11': 'evaluation_result.result is true or false for a boolean rule.',
  '12': 'evaluation_result.result may be a complex value.',
  '13': 'expire_after is 0 in a simulation.',
  '14': 'error_details appears only when secrets are missing.',
  '15': 'error_details.missing_secrets lists policy_data_address and has_secrets_schema.',
  '16': 'error_details.suggested_actions is an array of strings.',
})
