import { target } from '../../data/target.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { InboxPanel } from './InboxPanel.tsx'
import { NotificationsPanel } from './NotificationsPanel.tsx'
import { TaskWatch } from './TaskWatch.tsx'
import { TriggerPanel } from './TriggerPanel.tsx'
import { UpdatesPanel } from './UpdatesPanel.tsx'
import './webhooks.css'

/** Webhooks of the stack and what was delivered to them, failures on request, and updates of tasks. */
export function WebhooksView({ route }: ViewProps) {
  const [tab = 'inbox', id] = route.rest
  const followed = route.query.get('task') ?? ''
  if (!target().has.control)
    return (
      <>
        <h1>Webhooks and updates</h1>
        <Notice>The inbox and its deliveries exist only in a local stack.</Notice>
        <TaskWatch key={followed} taskId={followed} />
      </>
    )
  return (
    <>
      <h1>Webhooks and updates</h1>
      <Tabs
        label="Webhooks and updates"
        selected={tab}
        onSelect={(next) => navigate(hashOf('webhooks', [next]))}
        tabs={[
          { id: 'inbox', title: 'Inbox', content: () => <InboxPanel selected={id} /> },
          {
            id: 'notifications',
            title: 'Retries',
            content: () => <NotificationsPanel selected={id} />,
          },
          { id: 'trigger', title: 'Trigger a failure', content: () => <TriggerPanel /> },
          {
            id: 'updates',
            title: 'Updates',
            content: () => <UpdatesPanel task={followed} />,
          },
        ]}
      />
    </>
  )
}
