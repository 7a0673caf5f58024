import type { OutcomesOverTime } from 'polgate-protocol/control/taskOutcomes.ts'

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** Milliseconds in the largest unit that divides them: `30 s`, `2 h`. */
function stepText(step: number): string {
  const [length, unit] = units.find(([each]) => step % each === 0) ?? units[3]
  return `${step / length} ${unit}`
}

/** Outcomes in a sentence. */
export function outcomesSummary({ tasks, step, stretches }: OutcomesOverTime): string {
  const sum = (kind: 'allowed' | 'denied' | 'failed' | 'open') =>
    stretches.reduce((total, counts) => total + counts[kind], 0).toLocaleString()
  return `The latest ${tasks.toLocaleString()} tasks by when they began, ${stepText(step)} a bar: ${sum('allowed')} allowed, ${sum('denied')} denied, ${sum('failed')} failed, ${sum('open')} not decided.`
}
