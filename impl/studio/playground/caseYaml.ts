import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { PlaygroundAnswer, PlaygroundRequest } from './evaluation.ts'

/** Members of an intent in `cases.yaml`, and how they are in the input of a policy. */
const members = ['from', 'to', 'value', 'data', 'chain_id', 'function_signature'] as const
const longestError = 4_096

/**
 * What was evaluated as a row of `cases.yaml` of a policy package. The outputs of the oracles are a
 * comment: a package gives them by mocks of the hosts that its oracles ask.
 *
 * @throws JsonError, SyntaxError for an input or parameters that are not JSON
 */
export function caseYaml(
  name: string,
  { input, params, data, now }: PlaygroundRequest,
  { decision, diagnostics }: PlaygroundAnswer,
): string {
  const given = parseExact(input) as Readonly<Record<string, unknown>>
  const intent = Object.fromEntries(
    members.filter((each) => given[each] !== undefined).map((each) => [each, hexOf(given[each])]),
  )
  const { intent_signature: signature } = given
  const lines = [
    'cases:',
    `  - name: ${JSON.stringify(name.slice(0, 200))}`,
    `    time: ${new Date(now).toISOString()}`,
    `    intent: ${stringifyExact(intent)}`,
    ...(typeof signature === 'string' ? [`    intentSignature: "${signature}"`] : []),
    `    params: ${stringifyExact(parseExact(params))}`,
    `    expect: ${expectation(decision, diagnostics)}`,
    ...data.map(
      (output) =>
        `    # Output of an oracle; mocks of its hosts have to give it: ${oneLine(output)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

const hexOf = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'bigint' ? `0x${value.toString(16)}` : value

const oneLine = (text: string): string => text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')

function expectation(
  decision: PlaygroundAnswer['decision'],
  diagnostics: PlaygroundAnswer['diagnostics'],
): string {
  if (decision === undefined)
    return stringifyExact({
      fails: (diagnostics[0]?.message ?? 'evaluation failed').slice(0, longestError),
    })
  const { outcome, reasons } = decision
  if (outcome === 'allow') return 'allow'
  return reasons.length === 0 ? 'deny' : stringifyExact({ deny: reasons })
}
