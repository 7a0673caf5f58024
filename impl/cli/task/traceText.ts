import type { TaskTrace, TracedOperator } from 'polgate-client/trace/taskTrace.ts'
import { printable } from 'polgate-conformance/core/printable.ts'

const longest = 400

/** A trace for people: a line for each part. */
export function traceText(trace: TaskTrace): string {
  const { decision, intent, votes, aggregation, chain } = trace
  const verdict = decision === undefined ? '' : `, ${decision.allow ? 'allow' : 'deny'}`
  const stake = votes.stake === undefined ? '' : `, ${votes.stake} % of the stake`
  const needed = votes.threshold === undefined ? '' : `, ${votes.threshold} % needed`
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['task', `${trace.taskId}  ${trace.status}${verdict}`],
    ['error', trace.error],
    ['client', trace.policyClient],
    ['policy', joined([trace.policyAddress, trace.entrypoint])],
    [
      'intent',
      intent &&
        `${intent.from} to ${intent.to}, ${BigInt(intent.value)} wei, data ${cut(intent.data, 80)}`,
    ],
    ['params', trace.params],
    ...(trace.settled ?? []).map((text, at) => [at === 0 ? 'settled' : '', text] as const),
    ...(trace.reasons ?? []).map((reason) => ['reason', reason] as const),
    ...trace.operators.flatMap(operatorLines),
    ['votes', `${votes.signed} of ${votes.known} operators signed${stake}${needed}`],
    [
      'aggregate',
      aggregation &&
        `${aggregation.digest}, ${aggregation.nonSigners} did not sign, at block ${aggregation.referenceBlock}`,
    ],
    [
      'valid',
      trace.validUntilBlock === undefined ? undefined : `until block ${trace.validUntilBlock}`,
    ],
    ...trace.warnings.map(({ code, message }) => ['warning', `${code}: ${message}`] as const),
    ...(chain === undefined ? [] : chainLines(chain)),
    ...trace.unknown.map((what) => ['unknown', what] as const),
  ]
  return lines
    .flatMap(([name, text]) =>
      text === undefined ? [] : [`${name.padEnd(11)}${printable(cut(text, longest))}`],
    )
    .join('\n')
}

const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most)}... (${text.length} characters)`

const joined = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined).join('  ') || undefined

function operatorLines(operator: TracedOperator): readonly (readonly [string, string])[] {
  const { address, stake, data, signature, outputs, differences, reasons, error } = operator
  const head = [
    address,
    ...(stake === undefined ? [] : [`stake ${stake}`]),
    `data ${data}`,
    `signature ${signature}`,
    ...(differences?.length === 0 ? ['data as settled'] : []),
    ...(reasons === undefined ? [] : [`${reasons.length} deny reasons`]),
  ]
  return [
    ['operator', head.join('  ')],
    ...(error === undefined ? [] : [['', `error: ${error}`] as const]),
    ...(outputs ?? []).map((text) => ['', `output ${text}`] as const),
    ...(differences ?? []).map(
      ({ path, own, settled }) =>
        [
          '',
          `differs at ${path || 'the top'}: ${own ?? 'absent'}, settled ${settled ?? 'absent'}`,
        ] as const,
    ),
  ]
}

function chainLines(
  chain: NonNullable<TaskTrace['chain']>,
): readonly (readonly [string, string])[] {
  const { createdBlock, createdAt, respondedBlock, respondedAt, spentAt, challenge } = chain
  const step = (name: string, block: number | null, at: string | null) =>
    at === null && block === null
      ? `not ${name} yet`
      : `${name}${block === null ? '' : ` in block ${block}`}${at === null ? '' : `, ${at}`}`
  return [
    ['chain', step('created', createdBlock, createdAt)],
    ['', step('responded', respondedBlock, respondedAt)],
    ['', spentAt === null ? 'not spent yet' : `spent ${spentAt}`],
    ...(challenge === null ? [] : [['', `challenge: ${challenge}`] as const]),
  ]
}
