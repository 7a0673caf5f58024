import type { ViewProps } from '../../viewProps.ts'
import { TaskListView } from './TaskListView.tsx'
import { TaskPage } from './TaskPage.tsx'
import './tasks.css'

/** The tasks, newest first, and one of them. */
export function TasksView({ route }: ViewProps) {
  const [id] = route.rest
  return id === undefined ? (
    <TaskListView route={route} />
  ) : (
    <TaskPage key={id} id={id} route={route} />
  )
}
