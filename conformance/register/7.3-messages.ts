import { sectionClauses } from './clause.ts'

/** Section 7.3: messages in error strings. */
export const section7_3 = sectionClauses('7.3', {
  '01': 'An unknown method is named: "Unknown ... RPC method: {method}".',
  '02': 'Malformed params are "Invalid request format: {details}".',
  '03': 'A key without the permission gets "RpcRead permission required" or "RpcWrite permission required".',
  '04': 'An invalid or expired key gets "Invalid API key".',
  '05': 'Ownership of another is "policy client {addr} is owned by another user".',
  '06': 'A zero owner is "policy client {addr} has no owner...".',
  '07': 'Missing secrets are "Missing secrets for N PolicyData contract(s)", with error_details.',
  '08': 'No secrets for a pair is "No secrets found for policy_client ... and policy_data ...".',
  '09': 'A runtime error of an oracle is "WASM execution failed: {details}".',
  '10': 'A syntax or runtime error of a policy is "Rego evaluation failed: {details}".',
  '11': 'An undefined rule is "Rego evaluation failed: {details}".',
  '12': 'An error in reading the chain is "Contract read failed: {details}".',
  '13': 'A task past its timeout says "Task timeout".',
  '14': 'Without operators simulateTask says "No operators available", as ServiceUnavailable.',
  '15': 'A bad intent signature is "Failed to encode intent signature ... expected exactly 65 bytes".',
  '16': 'Secrets that fail their schema are "Secrets upload validation failed: {details}".',
  '17': 'Operational failures of the simulate and store methods are HTTP 200 with success false.',
  '18': 'Authorization failures are a JSON-RPC error object.',
})
