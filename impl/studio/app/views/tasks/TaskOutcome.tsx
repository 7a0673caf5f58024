import type { TaskTrace } from 'polgate-client/trace/taskTrace.ts'
import { OutcomeBadge, outcomeOfTask } from '../../ui/OutcomeBadge.tsx'

/** The outcome of a task in one badge, with the value of its decision. */
export const TaskOutcome = ({
  summary: { status, decision },
}: {
  readonly summary: Pick<TaskTrace, 'status' | 'decision'>
}) => <OutcomeBadge outcome={outcomeOfTask(status, decision?.allow)} value={decision?.value} />
