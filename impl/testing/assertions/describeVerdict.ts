import type { TaskVerdict } from './taskVerdict.ts'

const longest = 500
const most = 20

const cut = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest)}...` : text

/** The lines of a failure message. */
export function describeVerdict(verdict: TaskVerdict): string {
  const { decision, taskId, value, operatorErrors, error, record } = verdict
  const lines = [
    ...(taskId === undefined ? [] : [`task:            ${taskId}`]),
    `decision:        ${decision}`,
    ...(error === undefined ? [] : [`error:           ${cut(error)}`]),
    ...(value === undefined ? [] : [`policy's value:  ${cut(JSON.stringify(value))}`]),
    ...listed('deny reasons:    ', decision === 'denied' ? reasonsOf(verdict) : []),
    ...listed('operator errors: ', operatorErrors),
  ]
  if (record === undefined) return lines.join('\n')
  return [
    ...lines,
    `entrypoint:      ${record.entrypoint}`,
    `params:          ${cut(record.params)}`,
    ...listed('oracle outputs:  ', record.data),
    `spent:           ${record.spent ? 'yes' : 'no'}`,
  ].join('\n')
}

function reasonsOf({ reasons, reasonsKnown, taskId }: TaskVerdict): readonly string[] {
  if (reasons.length > 0) return reasons
  if (reasonsKnown) return ['none: the policy has no set or array named deny, or it is empty']
  if (taskId === undefined)
    return ['unknown: simulatePolicy does not return them. Use simulateTask or createTask']
  return [
    'unknown: no stack of this process has run the task since its last restart, or too many since',
  ]
}

function listed(title: string, texts: readonly string[]): string[] {
  const shown = texts.slice(0, most).map(cut)
  if (texts.length > most) shown.push(`and ${texts.length - most} more`)
  return shown.map((text, at) => `${at === 0 ? title : ' '.repeat(title.length)}${text}`)
}
