import { sectionClauses } from './clause.ts'

/** Section 7.3: messages in error strings. */
export const section7_3 = sectionClauses('7.3', {
  '01': 'The message for an unknown method is "Unknown ... RPC method: {method}".',
  '02': 'The message for malformed params is "Invalid request format: {details}".',
  '03': 'The message for a missing permission is "RpcRead permission required" or "RpcWrite permission required".',
  '04': 'The message for an invalid or expired key is "Invalid API key".',
  '05': 'The message for a client of another owner has "policy client {addr} is owned by another user".',
  '06': 'The message for a client without an owner has "policy client {addr} has no owner...".',
  '07': 'The error for missing secrets is "Missing secrets for N PolicyData contract(s)", with error_details.',
  '08': 'The error for a pair without secrets is "No secrets found for policy_client ... and policy_data ...".',
  '09': 'The error of a failing oracle is "WASM execution failed: {details}".',
  '10': 'The error for a syntax or runtime error of a policy is "Rego evaluation failed: {details}".',
  '11': 'The error for an undefined rule is "Rego evaluation failed: {details}".',
  '12': 'The error for a failed read of the chain is "Contract read failed: {details}".',
  '13': 'The error of a task past its timeout is "Task timeout".',
  '14': 'The error of simulateTask without operators is "No operators available", as ServiceUnavailable.',
  '15': 'The error for an invalid intent signature is "Failed to encode intent signature ... expected exactly 65 bytes".',
  '16': 'The error for secrets that do not fit their schema is "Secrets upload validation failed: {details}".',
  '17': 'Operational failures of the simulate and store methods are HTTP 200 with success false.',
  '18': 'Authorization failures are JSON-RPC error objects.',
})
