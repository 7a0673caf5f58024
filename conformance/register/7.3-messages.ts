import { sectionClauses } from './clause.ts'

/** Section 7.3: messages in error strings. */
export const section7_3 = sectionClauses('7.3', {
  '01': 'The message for an unknown method is "Unknown ... RPC method: {method}".',
  '02': {
    text: 'The message for malformed params is "Invalid request format: {details}".',
    profile: 'tasks',
  },
  '03': 'The message for a missing permission is "RpcRead permission required" or "RpcWrite permission required".',
  '04': 'The message for an invalid or expired key is "Invalid API key".',
  '05': {
    text: 'The message for a client of another owner has "policy client {addr} is owned by another user".',
    profile: 'simulation',
  },
  '06': {
    text: 'The message for a client without an owner has "policy client {addr} has no owner...".',
    profile: 'simulation',
  },
  '07': {
    text: 'The error for missing secrets is "Missing secrets for N PolicyData contract(s)", with error_details.',
    profile: 'simulation',
  },
  '08': {
    text: 'The error for a pair without secrets is "No secrets found for policy_client ... and policy_data ...".',
    profile: 'secrets',
  },
  '09': {
    text: 'The error of a failing oracle is "WASM execution failed: {details}".',
    profile: 'tasks',
  },
  '10': {
    text: 'The error for a syntax or runtime error of a policy is "Rego evaluation failed: {details}".',
    profile: 'simulation',
  },
  '11': {
    text: 'The error for an undefined rule is "Rego evaluation failed: {details}".',
    profile: 'simulation',
  },
  '12': {
    text: 'The error for a failed read of the chain is "Contract read failed: {details}".',
    profile: 'tasks',
  },
  '13': { text: 'The error of a task past its timeout is "Task timeout".', profile: 'tasks' },
  '14': {
    text: 'The error of simulateTask without operators is "No operators available", as ServiceUnavailable.',
    profile: 'simulation',
  },
  '15': {
    text: 'The error for an invalid intent signature is "Failed to encode intent signature ... expected exactly 65 bytes".',
    profile: 'tasks',
  },
  '16': {
    text: 'The error for secrets that do not fit their schema is "Secrets upload validation failed: {details}".',
    profile: 'secrets',
  },
  '17': {
    text: 'Operational failures of the simulate and store methods are HTTP 200 with success false.',
    profile: 'simulation',
  },
  '18': { text: 'Authorization failures are JSON-RPC error objects.', profile: 'simulation' },
})
