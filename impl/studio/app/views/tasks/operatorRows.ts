import type { TracedOperator } from 'polgate-client/trace/taskTrace.ts'
import { type Difference, typedDiff } from 'polgate-lib/view/typedDiff.ts'
import type { TaskTraceAnswer } from 'polgate-protocol/control/taskTrace.ts'
import { jsonOrText } from '../../data/jsonOrText.ts'

export type OperatorRow = TracedOperator & {
  /** Of the whole stake, 0 to 1; undefined where stakes are not known. */
  readonly share: number | undefined
  /** Milliseconds of its two calls. */
  readonly collectMs: number | undefined
  readonly signMs: number | undefined
  /** Where its outputs differ from the settled data, in the order of the oracles. */
  readonly typed: readonly (readonly Difference[])[] | undefined
}

/** The operators of a task with times and typed differences, those with most stake first. */
export function operatorRows(
  operators: readonly TracedOperator[],
  settled: readonly string[] | undefined,
  path: Pick<TaskTraceAnswer, 'spans'> | undefined,
): readonly OperatorRow[] {
  const total = operators.reduce((sum, { stake }) => sum + Number(stake ?? 0), 0)
  const took = (address: string, name: string) =>
    path?.spans.find(
      (span) =>
        span.kind === 'operator' &&
        span.name === name &&
        span.operator?.toLowerCase() === address.toLowerCase(),
    )?.duration ?? undefined
  return operators
    .map((operator) => ({
      ...operator,
      share: total === 0 ? undefined : Number(operator.stake ?? 0) / total,
      collectMs: took(operator.address, 'collect data'),
      signMs: took(operator.address, 'evaluate and sign'),
      typed:
        settled &&
        operator.outputs?.map((text, at) => typedDiff(jsonOrText(settled[at]), jsonOrText(text))),
    }))
    .sort((a, b) => Number(b.stake ?? 0) - Number(a.stake ?? 0) || (a.address < b.address ? -1 : 1))
}
