import type { RedecideAnswer } from 'polgate-protocol/control/redecide.ts'

const tasks = (count: number): string => `${count} ${count === 1 ? 'task' : 'tasks'}`

/** `3 of the last 100 tasks change: 2 newly allowed, 1 newly denied.` */
export function summaryText(counts: RedecideAnswer['counts']): string {
  if (counts.tasks === 0) return 'This client has no tasks yet.'
  const parts = [
    [counts.newlyAllowed, 'newly allowed'],
    [counts.newlyDenied, 'no longer allowed'],
    [counts.errors, 'with an error'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const unknown =
    counts.unknown === 0 ? '' : ` ${tasks(counts.unknown)} could not be decided again.`
  const last = counts.tasks === 1 ? 'The last task' : `Of the last ${counts.tasks} tasks`
  const changes =
    counts.tasks === 1
      ? counts.changed === 1
        ? ' changes'
        : ' does not change'
      : ` ${counts.changed === 0 ? 'none changes' : `${counts.changed} ${counts.changed === 1 ? 'changes' : 'change'}`}`
  const separator = counts.tasks === 1 ? '' : ','
  return `${last}${separator}${changes}${told.length === 0 ? '' : `: ${told.join(', ')}`}.${unknown}`
}
