import { hashOf, navigate } from '../../data/useRoute.ts'
import { Hex } from '../../ui/Hex.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { RequestPanel } from './RequestPanel.tsx'
import { RerunPanel } from './RerunPanel.tsx'
import { SaveCasePanel } from './SaveCasePanel.tsx'
import { TaskTabs } from './TaskTabs.tsx'
import { requestOf } from './taskRequest.ts'
import { useTaskTrace } from './useTaskTrace.ts'

/** One task, and what can be done with it. */
export function TaskPage({ id, route }: ViewProps & { readonly id: string }) {
  const isId = /^0x[0-9a-fA-F]{64}$/.test(id)
  return (
    <>
      <p>
        <a href={hashOf('tasks')}>All tasks</a>
      </p>
      <h1>
        Task <Hex value={id} />
      </h1>
      {isId ? (
        <Task id={id} route={route} />
      ) : (
        <Notice tone="bad">This is not the id of a task: an id has 64 hex digits after 0x.</Notice>
      )}
    </>
  )
}

function Task({ id, route }: ViewProps & { readonly id: string }) {
  const known = useTaskTrace(id)
  const request = requestOf(known.path, known.state?.result?.task)
  const show = (tab: string) => navigate(hashOf('tasks', [id], { show: tab }), { replace: true })
  return (
    <TaskTabs
      known={known}
      selected={route.query.get('show') ?? undefined}
      onSelect={show}
      more={[
        { id: 'request', title: 'Request', content: () => <RequestPanel request={request} /> },
        {
          id: 'rerun',
          title: 'Run again',
          content: () => <RerunPanel known={known} request={request} />,
        },
        { id: 'case', title: 'Save as test case', content: () => <SaveCasePanel known={known} /> },
      ]}
    />
  )
}
