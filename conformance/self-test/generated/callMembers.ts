import { exact, optional, type SpecifiedMembers, text } from './specified.ts'

/** Sections 2.6 and 4.5 to 4.10: the results of the methods without tasks. */
const noError = 'a success has none'

const publicKey: SpecifiedMembers = {
  public_key: exact('4.10-03', '4.10-33'),
  key_type: exact('4.10-04'),
  encryption_suite: exact('4.10-05'),
  envelope_forms: optional('other gateways announce none', exact('4.10-48')),
  'envelope_forms[]': exact('4.10-48'),
}

const oracle = (shown: string, failed: string): SpecifiedMembers => ({
  success: exact(shown, failed),
  policy_data: exact(shown, '2.6-02'),
  'policy_data.specifier': exact('2.6-01'),
  'policy_data.data': exact('2.6-02'),
  'policy_data.timestamp': text('2.6-03'),
  error: optional(noError, text(failed, '7.3-09')),
})

const evaluation = 'evaluation_result'
const parsed = `${evaluation}.parsed_intent`

export const callMembers: Readonly<Record<string, SpecifiedMembers>> = {
  'rpc.simulatePolicy': {
    success: exact('4.8-11', '4.8-12'),
    [evaluation]: exact('4.8-11'),
    [`${evaluation}.policy`]: exact('2.6-04'),
    [parsed]: exact('2.6-05', '2.6-06', '2.6-07', '2.6-08'),
    [`${parsed}.from`]: exact('2.6-05'),
    [`${parsed}.to`]: exact('2.6-05'),
    [`${parsed}.value`]: exact('2.6-06'),
    [`${parsed}.chain_id`]: exact('2.6-08'),
    [`${parsed}.function`]: exact('2.6-07'),
    [`${parsed}.function.name`]: exact('2.6-07'),
    [`${parsed}.function.arguments`]: exact('2.6-07'),
    [`${evaluation}.policy_params_and_data`]: exact('2.6-09'),
    [`${evaluation}.policy_params_and_data.params`]: exact('2.6-09'),
    [`${evaluation}.policy_params_and_data.wasm`]: exact('2.6-09'),
    [`${evaluation}.entrypoint`]: exact('2.6-10'),
    [`${evaluation}.result`]: exact('2.6-11', '2.6-12'),
    [`${evaluation}.expire_after`]: exact('2.6-13'),
    error: optional(noError, text('4.8-12')),
    error_details: exact('2.6-15', '2.6-16', '4.8-17'),
    'error_details.missing_secrets': exact('2.6-15', '4.8-17', '4.8-19'),
    'error_details.missing_secrets[]': exact('2.6-15', '4.8-17', '4.8-19'),
    'error_details.missing_secrets[].policy_data_address': exact('2.6-15', '4.8-17', '4.8-19'),
    'error_details.missing_secrets[].has_secrets_schema': exact('2.6-15'),
    'error_details.suggested_actions': text('2.6-16'),
    'error_details.suggested_actions[]': {
      ...text('2.6-16'),
      legal: { drop: 'how many actions are suggested is not specified' },
    },
  },
  'rpc.simulatePolicyData': oracle('4.6-06', '4.6-07'),
  'rpc.simulatePolicyDataWithClient': oracle('4.7-06', '4.7-05'),
  'rpc.storeEncryptedSecrets': {
    success: exact('4.5-05', '4.5-07'),
    schema: exact('4.5-06'),
    error: optional(noError, text('4.5-07')),
  },
  'rpc.registerWebhook': { success: exact('4.9-10'), message: text('4.9-10', '4.9-18') },
  'rpc.unregisterWebhook': {
    success: {
      ...exact('4.9-11'),
      legal: { stale: 'without a webhook both values are valid (clause 4.9-20)' },
    },
    message: text('4.9-11', '4.9-18'),
  },
  'rpc.getSecretsPublicKey': publicKey,
  'rpc.getPrivacyPublicKey': {
    ...publicKey,
    // Sealed data is never opened for a client: whether it is the right key shows nowhere.
    public_key: { ...exact('4.10-03'), value: 'text' },
    encryption_suite: { ...exact('4.10-05'), value: 'text' },
  },
  'rpc.uploadIdentityEncrypted': {
    data_ref_id: exact('4.10-15'),
    gateway_signature: exact('4.10-16'),
    deadline: exact('4.10-17', '4.10-16'),
  },
  'rpc.getIdentityEncrypted': {
    envelope: exact('4.10-20'),
    identity_domain: exact('4.10-20'),
    identity_owner: exact('4.10-20'),
  },
  'rpc.uploadConfidentialData': {
    success: exact('4.10-28', '4.10-29'),
    data_ref_id: exact('4.10-28'),
    error: optional(noError, text('4.10-29')),
  },
  'rpc.getConfidentialData': {
    envelope: exact('4.10-31'),
    data_type: text('4.10-31'),
  },
}
