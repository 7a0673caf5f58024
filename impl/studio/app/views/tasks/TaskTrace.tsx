import { useState } from 'preact/hooks'
import { TaskTabs } from './TaskTabs.tsx'
import { useTaskTrace } from './useTaskTrace.ts'
import './tasks.css'

/** A task, live: its outcome, its path, operators, policy and events on chain. */
export function TaskTrace({ id }: { readonly id: string }) {
  const [tab, setTab] = useState<string>()
  return <TaskTabs known={useTaskTrace(id)} selected={tab} onSelect={setTab} />
}
