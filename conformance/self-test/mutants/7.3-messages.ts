import type { Mutant } from './mutant.ts'
import { changedAnswer, type Json } from './wrappedListeners.ts'

/** A text, anywhere in a response. */
function inTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => inTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inTexts(member, change)]),
  )
}

/** The gateway uses other words, in every response and on every method. */
const saysInstead = (
  name: string,
  clauses: readonly string[],
  pattern: RegExp,
  instead: string,
): Mutant => ({
  id: `message.${name}`,
  fault: `says “${instead}” for ${pattern.source.replaceAll('\\', '')}`,
  clauses,
  parts: changedAnswer('*', (answer) => ({
    ...answer,
    ...(answer?.error === undefined
      ? {}
      : { error: inTexts(answer.error, (text) => text.replace(pattern, instead)) }),
    ...(typeof answer?.result !== 'object' || answer.result === null
      ? {}
      : {
          result: {
            ...answer.result,
            ...inTexts(
              Object.fromEntries(
                Object.entries(answer.result).filter(([member]) => /error/.test(member)),
              ),
              (text) => text.replace(pattern, instead),
            ),
          },
        }),
  })),
})

/** Faults in the texts of section 7.3. */
export const messageMutants: readonly Mutant[] = [
  saysInstead('method-not-named', ['7.3-01'], /^Unknown .* RPC method: .*$/s, 'Unknown RPC method'),
  saysInstead('malformed-params', ['7.3-02'], /^Invalid request format: .*$/s, 'Bad request'),
  saysInstead('permission', ['7.3-03'], /^Rpc(Read|Write) permission required$/, 'Forbidden'),
  saysInstead(
    'other-permission',
    ['7.3-03'],
    /^RpcWrite permission required$/,
    'RpcRead permission required',
  ),
  saysInstead('invalid-key', ['7.3-04'], /^Invalid API key$/, 'Unauthorized'),
  saysInstead('another-owner', ['7.3-05'], /is owned by another user/, 'is not yours'),
  saysInstead(
    'owner-without-address',
    ['7.3-05', '7.3-06'],
    /policy client 0x[0-9a-f]{40} /i,
    'the policy client ',
  ),
  saysInstead('no-owner', ['7.3-06'], /has no owner.*$/s, 'is owned by another user'),
  saysInstead('missing-secrets', ['7.3-07'], /^Missing secrets for \d+ .*$/s, 'Missing secrets'),
  saysInstead('no-secrets', ['7.3-08'], /^No secrets found for .*$/s, 'No secrets found'),
  saysInstead('oracle-failed', ['7.3-09'], /WASM execution failed: /, 'wasm error: '),
  saysInstead('oracle-without-details', ['7.3-09'], /(WASM execution failed): .*$/s, '$1'),
  saysInstead('policy-failed', ['7.3-10', '7.3-11'], /^Rego evaluation failed: /, 'rego: '),
  saysInstead('policy-without-details', ['7.3-10'], /^(Rego evaluation failed): .*$/s, '$1'),
  saysInstead('undefined-rule', ['7.3-11'], /^Rego evaluation failed: undefined/, 'undefined'),
  saysInstead('chain-read', ['7.3-12'], /^Contract read failed: .*$/s, 'Internal error'),
  saysInstead('task-timeout', ['7.3-13'], /^Task timeout.*$/s, 'deadline exceeded'),
  saysInstead('no-operators', ['7.3-14'], /^No operators available.*$/s, 'unavailable'),
  saysInstead(
    'intent-signature',
    ['7.3-15'],
    /^Failed to encode intent signature.*$/s,
    'invalid signature',
  ),
  saysInstead('bytes-not-named', ['7.3-15'], /expected exactly 65 bytes/, 'wrong length'),
  saysInstead('misfit', ['7.3-16'], /^Secrets upload validation failed: /, 'schema: '),
  {
    id: 'message.operational-as-error',
    fault: 'reports operational failures of simulations and uploads as JSON-RPC errors',
    clauses: ['7.3-17', '4.8-12', '4.5-07', '4.6-07'],
    parts: changedAnswer('*', (answer, { method }) =>
      /^(simulate|store)/.test(method) && answer?.result?.success === false
        ? {
            jsonrpc: '2.0',
            error: { code: -32603, message: answer.result.error },
            id: answer.id,
          }
        : answer,
    ),
  },
  {
    id: 'message.operational-as-500',
    fault: 'reports operational failures of simulations and uploads with HTTP 500',
    clauses: ['7.3-17'],
    parts: changedAnswer(
      '*',
      (answer, { method }) =>
        /^(simulate|store)/.test(method) && answer?.result?.success === false
          ? { ...answer, status: 500 }
          : answer,
      500,
    ),
  },
]
