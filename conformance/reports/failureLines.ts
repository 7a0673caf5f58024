import type { CheckFinished } from '../core/events.ts'
import { readableReason, readableValue, readableValues } from './readableText.ts'

/** What is wrong with what, in one line: `svc_createTask: the HTTP status is wrong`. */
export function failureHeadline({ call, reason }: CheckFinished): string {
  const what = readableReason(reason)
  // A check may name what it called.
  return call === undefined || what.includes(call) ? what : `${readableValue(call)}: ${what}`
}

/**
 * A failure in lines of text: method, path or topic, what was sent, the clauses, expected and observed, in
 * this order.
 */
export function failureLines(result: CheckFinished): readonly string[] {
  const { sent, clauses, expected, observed, counterexample } = result
  const values =
    expected === undefined || observed === undefined
      ? undefined
      : readableValues(expected, observed)
  return [
    failureHeadline(result),
    ...(sent === undefined ? [] : [`sent: ${readableReason(sent)}`]),
    ...(clauses.length === 0
      ? []
      : [`${clauses.length === 1 ? 'clause' : 'clauses'}: ${clauses.join(', ')}`]),
    ...(values === undefined
      ? []
      : [`expected: ${values.expected}`, `observed: ${values.observed}`]),
    ...(counterexample === undefined
      ? []
      : [`counterexample: ${counterexample.split('\n').map(readableReason).join('\n')}`]),
  ]
}
