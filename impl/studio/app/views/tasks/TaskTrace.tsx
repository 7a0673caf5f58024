import { useState } from 'preact/hooks'
import { Tabs } from '../../ui/Tabs.tsx'
import { ChainSteps } from './ChainSteps.tsx'
import { OperatorsPanel } from './OperatorsPanel.tsx'
import { PolicyPanel } from './PolicyPanel.tsx'
import { TaskPath } from './TaskPath.tsx'
import { TaskSummaryPanel } from './TaskSummaryPanel.tsx'
import { type KnownTask, useTaskTrace } from './useTaskTrace.ts'
import './tasks.css'

/** A task, live: its state and decision, its path, operators, policy and events on chain. */
export const TaskTrace = ({ id }: { readonly id: string }) => (
  <TaskTraceOf known={useTaskTrace(id)} />
)

/** The same for a task that is followed already. */
export function TaskTraceOf({ known }: { readonly known: KnownTask }) {
  const [tab, setTab] = useState('path')
  return (
    <div class="stack">
      <TaskSummaryPanel known={known} />
      <Tabs
        label="Parts of the task"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'path', title: 'Path', content: () => <TaskPath known={known} /> },
          { id: 'operators', title: 'Operators', content: () => <OperatorsPanel known={known} /> },
          { id: 'policy', title: 'Policy', content: () => <PolicyPanel known={known} /> },
          { id: 'chain', title: 'On chain', content: () => <ChainSteps known={known} /> },
        ]}
      />
    </div>
  )
}
