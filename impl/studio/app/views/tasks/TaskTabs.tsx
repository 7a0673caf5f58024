import { type Tab, Tabs } from '../../ui/Tabs.tsx'
import { ChainSteps } from './ChainSteps.tsx'
import { OperatorsPanel } from './OperatorsPanel.tsx'
import { openingTab } from './openingTab.ts'
import { PolicyPanel } from './PolicyPanel.tsx'
import { TaskPath } from './TaskPath.tsx'
import { TaskSummaryPanel } from './TaskSummaryPanel.tsx'
import type { KnownTask } from './useTaskTrace.ts'

/** What is known of a task. @param props.more what can be done with it */
export function TaskTabs(props: {
  readonly known: KnownTask
  /** Undefined until one is chosen. */
  readonly selected: string | undefined
  readonly onSelect: (tab: string) => void
  readonly more?: readonly Tab[]
}) {
  const { known } = props
  return (
    <div class="stack">
      <TaskSummaryPanel known={known} />
      <Tabs
        label="The task"
        selected={props.selected ?? openingTab(known)}
        onSelect={props.onSelect}
        tabs={[
          { id: 'path', title: 'Path', content: () => <TaskPath known={known} /> },
          { id: 'operators', title: 'Operators', content: () => <OperatorsPanel known={known} /> },
          { id: 'policy', title: 'Policy', content: () => <PolicyPanel known={known} /> },
          { id: 'chain', title: 'On chain', content: () => <ChainSteps known={known} /> },
          ...(props.more ?? []),
        ]}
      />
    </div>
  )
}
